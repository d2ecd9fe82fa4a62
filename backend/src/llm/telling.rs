//! Answers as they are told: from a provider, while they come, or from a recording.

use futures_util::stream::{self, StreamExt as _};
use shared::llm::{Exchange, Reply};

use super::circuit::Leave;
use super::events::{Heard, Hearing};
use super::ticket::Ticket;
use super::{Answer, AnswerStream, Event};

/// Passes on what is heard; the reply is whole, and kept, with the last event.
pub(super) fn hear(hearing: Hearing, leave: Leave, ticket: Box<Ticket>) -> AnswerStream {
    struct State {
        hearing: Hearing,
        rest: Option<(Leave, Box<Ticket>, Reply)>,
    }
    let rest = Some((leave, ticket, Reply::default()));
    stream::unfold(State { hearing, rest }, |mut state| async move {
        let (leave, mut ticket, mut reply) = state.rest.take()?;
        let event = match state.hearing.next().await? {
            Ok(Heard::Piece(piece)) => {
                ticket.hear(&piece);
                reply.add(piece.clone());
                state.rest = Some((leave, ticket, reply));
                Ok(Event::Piece(piece))
            }
            Ok(Heard::End(aside)) => {
                leave.well();
                aside.complete(&mut reply);
                Ok(Event::Done(Box::new(ticket.finish(reply).await)))
            }
            Err(e) => {
                if e.is_the_provider_s() {
                    leave.badly();
                }
                Err(ticket.fail(e))
            }
        };
        Some((event, state))
    })
    .boxed()
}

/// A recording, told piece by piece.
pub(super) fn told_again(exchange: Exchange) -> AnswerStream {
    let pieces = exchange.reply.pieces().into_iter().map(Event::Piece);
    let done = Event::Done(Box::new(Answer::replayed(exchange)));
    let events: Vec<_> = pieces.chain([done]).map(Ok).collect();
    stream::iter(events).boxed()
}
