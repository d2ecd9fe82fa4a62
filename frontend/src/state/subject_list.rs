//! The Subjects page: its filter, the rows that it keeps, and the row that the keyboard is on.

use std::sync::Arc;
use std::time::Duration;

use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::{use_navigate, use_query_map};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use shared::subject::DatasetId;

use crate::page::Page;
use crate::reactive::{Memo, RwSignal, StoredValue, effect, watch};
use crate::state::filter_url::{from_pairs, to_pairs};
use crate::state::opened::CurrentBenchmark;
use crate::worker::client::{self, ClientError, Latest};
use crate::worker::protocol::{Filter, QueryResult};

/// How long typing must rest before the address follows.
const URL_DELAY: Duration = Duration::from_millis(250);

/// The state of a Subjects page.
#[derive(Clone, Copy)]
pub(crate) struct SubjectList {
    pub(crate) filter: RwSignal<Filter>,
    /// `None` until the first answer; then the last one.
    pub(crate) result: RwSignal<Option<QueryResult>>,
    pub(crate) error: RwSignal<Option<ClientError>>,
    /// The rows of the result, as indexes of the benchmark's index.
    pub(crate) rows: Memo<Arc<Vec<u32>>>,
    /// Which of the rows the keyboard is on.
    pub(crate) active: RwSignal<usize>,
}

impl SubjectList {
    /// Follows the address, the user and the benchmark `dataset`.
    pub(crate) fn new(dataset: Memo<DatasetId>, current: CurrentBenchmark) -> Self {
        let result = RwSignal::new(None::<QueryResult>);
        let rows = Memo::new(move |_| {
            Arc::new(result.with(|result| {
                result
                    .as_ref()
                    .map(|result| result.rows.clone())
                    .unwrap_or_default()
            }))
        });
        let list = Self {
            filter: RwSignal::new(Filter::default()),
            result,
            error: RwSignal::new(None),
            rows,
            active: RwSignal::new(0),
        };
        list.follow_address();
        list.lead_address(dataset);
        list.ask(dataset, current);
        list
    }

    fn follow_address(self) {
        let query = use_query_map();
        effect(move || {
            let wanted = query.with(|query| {
                // The map gives its pairs in no useful order, so each key is read as a whole.
                let keys = ["q", "class", "library", "rule", "size", "showcase", "sort"];
                let pairs: Vec<(&str, String)> = keys
                    .into_iter()
                    .flat_map(|key| {
                        query
                            .get_all(key)
                            .unwrap_or_default()
                            .into_iter()
                            .map(move |value| (key, value))
                    })
                    .collect();
                from_pairs(pairs.iter().map(|(key, value)| (*key, value.as_str())))
            });
            if self.filter.with_untracked(|filter| *filter != wanted) {
                self.filter.set(wanted);
            }
        });
    }

    fn lead_address(self, dataset: Memo<DatasetId>) {
        let navigate = use_navigate();
        let timer = StoredValue::new(None::<TimeoutHandle>);
        let clear = move || {
            if let Some(timer) = timer.try_update_value(Option::take).flatten() {
                timer.clear();
            }
        };
        on_cleanup(clear);
        watch(
            move || self.filter.get(),
            move |filter| {
                clear();
                let address = address(&dataset.get_untracked(), filter);
                let navigate = navigate.clone();
                let go = move || {
                    let options = NavigateOptions {
                        replace: true,
                        scroll: false,
                        ..NavigateOptions::default()
                    };
                    navigate(&address, options);
                };
                timer.set_value(set_timeout_with_handle(go, URL_DELAY).ok());
            },
        );
    }

    fn ask(self, dataset: Memo<DatasetId>, current: CurrentBenchmark) {
        let latest = Latest::default();
        effect(move || {
            // Once the rules are counted, the answer is another one.
            current.counts.track();
            let filter = self.filter.get();
            let dataset = dataset.get();
            if current.ready().is_none() || current.id.with(|id| id.as_ref() != Some(&dataset)) {
                return;
            }
            latest.run(client::query(dataset, filter), move |answer| match answer {
                Ok(result) => {
                    let same = self.rows.with_untracked(|rows| **rows == result.rows);
                    if !same {
                        self.active.set(0);
                    }
                    self.error.set(None);
                    self.result.set(Some(result));
                }
                Err(error) => self.error.set(Some(error)),
            });
        });
    }
}

/// The address of a filtered list.
pub(crate) fn address(dataset: &DatasetId, filter: &Filter) -> String {
    let mut address = Page::Subjects(dataset.clone()).path();
    for (index, (key, value)) in to_pairs(filter).into_iter().enumerate() {
        address.push(if index == 0 { '?' } else { '&' });
        address.push_str(key);
        address.push('=');
        address.extend(utf8_percent_encode(&value, NON_ALPHANUMERIC));
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_carries_the_filter() {
        let filter = Filter {
            text: "a b".to_owned(),
            rules: vec!["operators".to_owned()],
            ..Filter::default()
        };
        assert_eq!(
            address(&DatasetId::starter(), &filter),
            "/b/starter?q=a%20b&rule=operators"
        );
        assert_eq!(
            address(&DatasetId::starter(), &Filter::default()),
            "/b/starter"
        );
    }
}
