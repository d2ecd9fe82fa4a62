"""Talks to a CtxLab server with OpenAI's own client, as any program would.

Arguments: the base URL, the server's token. Ends with 0 if everything was as the client's users expect.
"""

import sys

import openai

base_url, token = sys.argv[1:]
client = openai.OpenAI(base_url=base_url, api_key=token)


def asks(content="hi", client=client, **more):
    messages = [{"role": "user", "content": content}]
    more = {"model": "small", "max_tokens": 20} | more
    return client.chat.completions.create(messages=messages, **more)


def raises(kind, words, ask):
    try:
        ask()
    except openai.APIError as error:
        assert type(error) is kind, f"expected {kind.__name__}: {error!r}"
        assert words in str(error), f"expected {words!r}: {error}"
        print(f"{kind.__name__}: {error}")
        return error
    raise AssertionError(f"expected {kind.__name__}")


def listens(content, **more):
    return "".join(
        chunk.choices[0].delta.content or ""
        for chunk in asks(content, stream=True, **more)
        if chunk.choices
    )


names = [model.id for model in client.models.list()]
assert names == ["small"], names
assert client.models.retrieve("small").owned_by == "lab"

reply = asks(logprobs=True, top_logprobs=1)
choice = reply.choices[0]
assert (choice.message.content, choice.finish_reason) == ("é!", "stop"), choice
tokens = choice.logprobs.content
assert [bytes(token.bytes).decode() for token in tokens] == ["é", "!"], tokens
assert tokens[0].top_logprobs[0].logprob == -0.1
assert reply.usage.total_tokens == 15

chunks = list(asks("count", stream=True, logprobs=True, stream_options={"include_usage": True}))
told = [chunk.choices[0] for chunk in chunks if chunk.choices]
assert "".join(it.delta.content or "" for it in told) == "one two", told
assert [it.logprobs.content[0].token for it in told if it.logprobs] == ["one ", "two"]
assert told[0].delta.role == "assistant" and told[-1].finish_reason == "stop"
assert chunks[-1].usage.total_tokens == 15
# It is recorded, and told again.
assert listens("count", logprobs=True) == "one two"

stranger = openai.OpenAI(base_url=base_url, api_key="a-token-of-another-server")
raises(openai.AuthenticationError, "not this server's", lambda: asks(client=stranger))
error = raises(openai.BadRequestError, "temperature must be 0 to 2", lambda: asks(temperature=3))
assert (error.param, error.code) == ("temperature", "invalid_value")
raises(openai.NotFoundError, "no model large", lambda: asks(model="large"))
raises(openai.NotFoundError, "no model large", lambda: client.models.retrieve("large"))
raises(openai.UnprocessableEntityError, "too odd", lambda: asks("odd"))
error = raises(openai.RateLimitError, "too much to do", lambda: asks("busy"))
assert error.response.headers["retry-after"] == "3600"
raises(openai.InternalServerError, "content type", lambda: asks("no JSON"))
raises(openai.APIError, "broke off", lambda: listens("cut"))
impatient = client.with_options(timeout=0.5, max_retries=0)
raises(openai.APITimeoutError, "timed out", lambda: asks("hang", client=impatient))
nobody = openai.OpenAI(base_url="http://127.0.0.1:9/v1", api_key="x", max_retries=0)
raises(openai.APIConnectionError, "Connection error", lambda: asks(client=nobody))
