//! The events of a streamed answer, until its end.

use std::collections::VecDeque;
use std::pin::Pin;

use axum::body::Bytes;
use futures_util::stream::{self, BoxStream, Stream, StreamExt as _};
use shared::llm::{Piece, Reply};
use sse_stream::SseByteStream;

use super::error::LlmError;
use super::redact::Redactor;
use super::upstream::{Body, MAX_REPLY_BYTES, read};
use super::wire::{Aside, DONE, NO_WORD, WireReply};
use crate::config::LlmProviderConfig;

/// What is heard of an answer: pieces, and at the end the reply without its choices.
pub(super) enum Heard {
    Piece(Piece),
    /// The last: all came.
    End(Aside),
}

/// An answer as it comes.
pub(super) type Hearing = BoxStream<'static, Result<Heard, LlmError>>;

type Blocks = SseByteStream<Pin<Box<dyn Stream<Item = Result<Bytes, LlmError>> + Send>>>;

/// A stream that is being read.
pub(super) struct Events {
    blocks: Blocks,
    config: LlmProviderConfig,
    redactor: Redactor,
    aside: Aside,
    /// Which choices there are, and which of them ended; without their texts.
    ends: Reply,
    ready: VecDeque<Heard>,
    is_over: bool,
}

impl Events {
    pub(super) fn new(body: Body, config: LlmProviderConfig) -> Self {
        let chunks = stream::try_unfold(body, |mut body| async move {
            let chunk = body.chunk(MAX_REPLY_BYTES).await?;
            Ok(chunk.map(|chunk| (chunk, body)))
        });
        Self {
            blocks: SseByteStream::new(Box::pin(chunks)),
            redactor: Redactor::new(config.key.clone()),
            config,
            aside: Aside::default(),
            ends: Reply::default(),
            ready: VecDeque::new(),
            is_over: false,
        }
    }

    pub(super) fn hearing(self) -> Hearing {
        stream::try_unfold(self, |mut events| async move {
            let heard = events.next().await?;
            Ok(heard.map(|heard| (heard, events)))
        })
        .boxed()
    }

    async fn next(&mut self) -> Result<Option<Heard>, LlmError> {
        loop {
            if let Some(heard) = self.ready.pop_front() {
                return Ok(Some(heard));
            }
            if self.is_over {
                return Ok(None);
            }
            match self.blocks.next().await {
                // Some servers hang up after the last word instead of saying so.
                None if self.ends.is_whole() => self.end(),
                None => return Err(LlmError::Cut(self.config.name.clone())),
                Some(Err(e)) => return Err(self.fault(e)),
                Some(Ok(block)) => {
                    let data = block.data.unwrap_or_default();
                    if data.trim() == DONE {
                        self.done()?;
                    } else if !data.trim().is_empty() {
                        self.event(read(data.as_bytes(), &self.config)?);
                    }
                }
            }
        }
    }

    fn event(&mut self, read: WireReply) {
        let (pieces, aside) = read.parts();
        self.aside.take_in(aside);
        for piece in pieces {
            self.tell(piece);
        }
    }

    fn tell(&mut self, piece: Piece) {
        let piece = self.redactor.piece(piece);
        self.ends.add(Piece {
            index: piece.index,
            finish: piece.finish.clone(),
            ..Piece::default()
        });
        let nothing = Piece {
            index: piece.index,
            ..Piece::default()
        };
        if piece != nothing {
            self.ready.push_back(Heard::Piece(piece));
        }
    }

    /// The provider said that this is all.
    fn done(&mut self) -> Result<(), LlmError> {
        if self.ends.choices.is_empty() {
            let why = "it has no choices".to_owned();
            return Err(LlmError::NotUnderstood(self.config.name.clone(), why));
        }
        let open = self.ends.choices.iter().filter(|it| it.finish.is_none());
        let open: Vec<u32> = open.map(|it| it.index).collect();
        for index in open {
            let finish = Some(NO_WORD.to_owned());
            self.tell(Piece {
                index,
                finish,
                ..Piece::default()
            });
        }
        self.end();
        Ok(())
    }

    fn end(&mut self) {
        let aside = self.redactor.aside(std::mem::take(&mut self.aside));
        self.ready.push_back(Heard::End(aside));
        self.is_over = true;
    }

    fn fault(&self, e: sse_stream::Error) -> LlmError {
        let name = self.config.name.clone();
        match e {
            sse_stream::Error::Body(e) => match e.downcast::<LlmError>() {
                Ok(e) => *e,
                Err(_) => LlmError::Cut(name),
            },
            _ => LlmError::NotUnderstood(name, "its events are no UTF-8".to_owned()),
        }
    }
}
