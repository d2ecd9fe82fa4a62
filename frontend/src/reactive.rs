//! Leptos' signals, effects and view closures, compiled once each.
//!
//! Leptos compiles its machinery anew for every type that a signal holds and for every closure that a view follows,
//! which came to 350 KB of the module before compression. Here values and closures stand behind a pointer, so that there is
//! one copy of each. Names and meaning are those of `leptos::prelude`; import these over them.

use std::any::Any;
use std::marker::PhantomData;
use std::ops::Deref as _;
use std::sync::{Arc, Mutex};

use leptos::prelude as leptos;
use leptos::{
    AnyView, IntoAny as _, IntoView, Read as _, ReadUntracked as _, ReadValue as _, Set as _,
    Track as _, Write as _, WriteValue as _, untrack,
};

/// A value of a type that the machinery does not know.
type Erased = Box<dyn Any + Send + Sync>;

fn erase<T: Send + Sync + 'static>(value: T) -> Erased {
    Box::new(value)
}

fn as_ref<T: 'static>(value: &Erased) -> &T {
    (**value)
        .downcast_ref()
        .unwrap_or_else(|| unreachable!("a signal holds what its type says"))
}

fn as_mut<T: 'static>(value: &mut Erased) -> &mut T {
    (**value)
        .downcast_mut()
        .unwrap_or_else(|| unreachable!("a signal holds what its type says"))
}

/// A handle of Leptos and the type behind it.
macro_rules! handle {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        pub(crate) struct $name<T>(leptos::$name<Erased>, PhantomData<fn() -> T>);

        impl<T> Clone for $name<T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T> Copy for $name<T> {}
    };
}

/// What can be read, and tells its readers when it changes.
macro_rules! readable {
    ($name:ident) => {
        impl<T: Send + Sync + 'static> $name<T> {
            /// Reads and follows the value.
            #[track_caller]
            pub(crate) fn with<R>(&self, read: impl FnOnce(&T) -> R) -> R {
                read(as_ref(self.0.read().deref()))
            }

            /// Reads the value without following it.
            #[track_caller]
            pub(crate) fn with_untracked<R>(&self, read: impl FnOnce(&T) -> R) -> R {
                read(as_ref(self.0.read_untracked().deref()))
            }

            /// A copy of the value, which is followed.
            #[track_caller]
            pub(crate) fn get(&self) -> T
            where
                T: Clone,
            {
                self.with(T::clone)
            }

            /// A copy of the value.
            #[track_caller]
            pub(crate) fn get_untracked(&self) -> T
            where
                T: Clone,
            {
                self.with_untracked(T::clone)
            }
        }
    };
}

handle! {
    /// A value that can be read, followed and set.
    RwSignal
}
handle! {
    /// A value that follows from others, computed anew only when they change.
    Memo
}
handle! {
    /// Anything that can be read and followed.
    Signal
}
handle! {
    /// A value that lives as long as its owner and that nobody follows.
    StoredValue
}

readable!(RwSignal);
readable!(Memo);
readable!(Signal);

impl<T: Send + Sync + 'static> RwSignal<T> {
    #[track_caller]
    pub(crate) fn new(value: T) -> Self {
        Self(leptos::RwSignal::new(erase(value)), PhantomData)
    }

    #[track_caller]
    pub(crate) fn set(&self, value: T) {
        self.0.set(erase(value));
    }

    /// Follows the value.
    #[track_caller]
    pub(crate) fn track(&self) {
        self.0.track();
    }

    /// Sets the value, or gives it back where the owner is gone.
    pub(crate) fn try_set(&self, value: T) -> Option<T> {
        let refused = self.0.try_set(erase(value))?;
        refused.downcast().ok().map(|value| *value)
    }

    /// Changes the value in place; nothing happens where the owner is gone.
    pub(crate) fn update(&self, change: impl FnOnce(&mut T)) {
        if let Some(mut value) = self.0.try_write() {
            change(as_mut(&mut value));
        }
    }
}

impl<T: Default + Send + Sync + 'static> Default for RwSignal<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: PartialEq + Send + Sync + 'static> Memo<T> {
    #[track_caller]
    pub(crate) fn new(compute: impl Fn(Option<&T>) -> T + Send + Sync + 'static) -> Self {
        let changed: fn(Option<&Erased>, Option<&Erased>) -> bool =
            |before: Option<&Erased>, after: Option<&Erased>| {
                before.map(as_ref::<T>) != after.map(as_ref::<T>)
            };
        let compute = move |before: Option<&Erased>| erase(compute(before.map(as_ref::<T>)));
        Self(memo(Box::new(compute), changed), PhantomData)
    }
}

/// Computes a value from the one before.
type Compute = Box<dyn Fn(Option<&Erased>) -> Erased + Send + Sync>;

#[track_caller]
fn memo(
    compute: Compute,
    changed: fn(Option<&Erased>, Option<&Erased>) -> bool,
) -> leptos::Memo<Erased> {
    leptos::Memo::new_with_compare(move |before| compute(before), changed)
}

impl<T: Send + Sync + 'static> Signal<T> {
    /// Computes the value whenever it is read.
    #[track_caller]
    pub(crate) fn derive(compute: impl Fn() -> T + Send + Sync + 'static) -> Self {
        Self(signal(Box::new(move || erase(compute()))), PhantomData)
    }

    /// A value that never changes.
    #[track_caller]
    pub(crate) fn stored(value: T) -> Self {
        Self(leptos::Signal::stored(erase(value)), PhantomData)
    }
}

#[track_caller]
fn signal(compute: Box<dyn Fn() -> Erased + Send + Sync>) -> leptos::Signal<Erased> {
    leptos::Signal::derive(compute)
}

impl<T: Send + Sync + 'static> From<T> for Signal<T> {
    fn from(value: T) -> Self {
        Self::stored(value)
    }
}

impl From<&str> for Signal<String> {
    fn from(value: &str) -> Self {
        Self::stored(value.to_owned())
    }
}

impl<T: Default + Send + Sync + 'static> Default for Signal<T> {
    fn default() -> Self {
        Self::stored(T::default())
    }
}

impl<T> From<RwSignal<T>> for Signal<T> {
    fn from(signal: RwSignal<T>) -> Self {
        Self(signal.0.into(), PhantomData)
    }
}

impl<T> From<Memo<T>> for Signal<T> {
    fn from(memo: Memo<T>) -> Self {
        Self(memo.0.into(), PhantomData)
    }
}

/// A value for this thread alone.
pub(crate) type LocalValue<T> = leptos::StoredValue<T, leptos::LocalStorage>;

impl<T: Default + Send + Sync + 'static> Default for StoredValue<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}

impl<T: Send + Sync + 'static> StoredValue<T> {
    #[track_caller]
    pub(crate) fn new(value: T) -> Self {
        Self(leptos::StoredValue::new(erase(value)), PhantomData)
    }

    #[track_caller]
    pub(crate) fn with_value<R>(&self, read: impl FnOnce(&T) -> R) -> R {
        read(as_ref(self.0.read_value().deref()))
    }

    #[track_caller]
    pub(crate) fn get_value(&self) -> T
    where
        T: Clone,
    {
        self.with_value(T::clone)
    }

    /// Sets the value; nothing happens where the owner is gone.
    pub(crate) fn set_value(&self, value: T) {
        self.try_update_value(|old| *old = value);
    }

    /// Changes the value in place; nothing happens where the owner is gone.
    pub(crate) fn update_value(&self, change: impl FnOnce(&mut T)) {
        self.try_update_value(change);
    }

    /// Changes the value in place; `None` where the owner is gone.
    pub(crate) fn try_update_value<R>(&self, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        let mut value = self.0.try_write_value()?;
        Some(change(as_mut(&mut value)))
    }
}

/// Runs `effect` now and whenever what it reads changes.
pub(crate) fn effect(effect: impl FnMut() + 'static) {
    effect_boxed(Box::new(effect));
}

fn effect_boxed(mut effect: Box<dyn FnMut()>) {
    leptos::Effect::new(move |_: Option<()>| effect());
}

/// Runs `then` with the value of `of` whenever that changes, not at first.
#[track_caller]
pub(crate) fn watch<T>(of: impl Fn() -> T + 'static, mut then: impl FnMut(&T) + 'static) {
    let mut is_first = true;
    effect(move || {
        let value = of();
        if !std::mem::take(&mut is_first) {
            untrack(|| then(&value));
        }
    });
}

/// A part of a view that follows the signals it reads.
pub(crate) fn live<V: IntoView>(
    mut view: impl FnMut() -> V + Send + 'static,
) -> Arc<Mutex<dyn FnMut() -> AnyView + Send>> {
    Arc::new(Mutex::new(move || view().into_any()))
}

/// An attribute, class or property that follows the signals it reads.
pub(crate) fn attr<T: 'static>(
    value: impl FnMut() -> T + Send + 'static,
) -> Arc<Mutex<dyn FnMut() -> T + Send>> {
    Arc::new(Mutex::new(value))
}

/// What is done when an event comes.
pub(crate) fn handler<E: 'static>(handle: impl FnMut(E) + 'static) -> Box<dyn FnMut(E)> {
    Box::new(handle)
}

#[cfg(test)]
mod tests {
    use super::{Memo, RwSignal, Signal, StoredValue, leptos::Owner};

    #[test]
    fn what_comes_after_the_page_is_gone_is_dropped() {
        let owner = Owner::new();
        let (signal, stored) = owner.with(|| (RwSignal::new(1), StoredValue::new(1)));
        owner.cleanup();
        signal.set(2);
        signal.update(|n| *n += 1);
        stored.set_value(2);
        stored.update_value(|n| *n += 1);
        assert_eq!(signal.try_set(3), Some(3));
        assert_eq!(stored.try_update_value(|n| *n), None);
    }

    #[test]
    fn values_keep_their_types() {
        Owner::new().with(|| {
            let text = RwSignal::new("a".to_owned());
            let length = Memo::new(move |_| text.with(String::len));
            let twice = Signal::derive(move || 2 * length.get());
            text.update(|text| text.push('b'));
            assert_eq!((length.get_untracked(), twice.get_untracked()), (2, 4));
            let read: Signal<String> = text.into();
            assert_eq!(read.get_untracked(), "ab");
        });
    }
}
