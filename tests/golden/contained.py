"""Whether a description of an interface still holds what an older one promised."""

from collections.abc import Iterator, Mapping
from typing import Any, Literal

TEXTS = {"description", "title", "summary", "example", "examples", "info", "tags"}
"""What only people read."""
Direction = Literal["given", "answered"]
"""A value that a client gives must not be asked for more; one that it gets must not hold less."""


def resolved(node: Any, schemas: Mapping[str, Any]) -> Any:
    """`node` with each "$ref" in it put in its place. None of ours is recursive."""
    if isinstance(node, dict):
        if "$ref" in node:
            return resolved(schemas[node["$ref"].rpartition("/")[2]], schemas)
        return {name: resolved(value, schemas) for name, value in node.items()}
    return [resolved(value, schemas) for value in node] if isinstance(node, list) else node


def broken(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """What the OpenAPI document `before` promised that `after` does not hold; empty where all of it stands."""
    schemas, later = before["components"]["schemas"], after["components"]["schemas"]
    found = [f"components.schemas.{name} is gone" for name in schemas.keys() - later.keys()]
    for path, methods in before["paths"].items():
        for method, operation in methods.items():
            where = f"{method.upper()} {path}"
            now = after["paths"].get(path, {}).get(method)
            if now is None:
                found.append(f"{where} is gone")
            else:
                found += _of_operation(resolved(operation, schemas), resolved(now, later), where)
    return found


def _of_operation(before: Any, after: Any, where: str) -> Iterator[str]:
    names = {(named["name"], named["in"]): named for named in after.get("parameters", ())}
    for named in before.get("parameters", ()):
        now = names.pop((named["name"], named["in"]), None)
        if now is None:
            yield f"{where}: the parameter {named['name']} is gone"
        else:
            yield from _parameter(named, now, f"{where} {named['name']}")
    yield from (f"{where}: {name} is needed now" for (name, _), item in names.items() if item.get("required"))
    yield from _body(before.get("requestBody"), after.get("requestBody"), where)
    for status, answer in before["responses"].items():
        now = after["responses"].get(status)
        if now is None:
            yield f"{where}: {status} is gone"
            continue
        for media, content in answer.get("content", {}).items():
            if media not in now.get("content", {}):
                yield f"{where}: {status} is not {media} any more"
            else:
                yield from less(content["schema"], now["content"][media]["schema"], "answered", f"{where} {status}")
    if before["operationId"] != after["operationId"]:
        yield f"{where}: its operationId is {after['operationId']}"


def _parameter(before: Any, after: Any, where: str) -> Iterator[str]:
    if after.get("required") and not before.get("required"):
        yield f"{where} is needed now"
    yield from less(before["schema"], after["schema"], "given", where)


def _body(before: Any, after: Any, where: str) -> Iterator[str]:
    if before is None:
        if after is not None and after.get("required"):
            yield f"{where}: a body is needed now"
        return
    if after is None:
        yield f"{where}: the body is gone"
        return
    if after.get("required") and not before.get("required"):
        yield f"{where}: a body is needed now"
    for media, content in before["content"].items():
        now = after["content"].get(media)
        if now is None:
            yield f"{where}: {media} is not taken any more"
        else:
            yield from less(content["schema"], now["schema"], "given", f"{where} body")


def less(before: Any, after: Any, direction: Direction, where: str) -> Iterator[str]:
    """What the JSON schema `before` allowed (of what is given), or promised (of what is answered), and `after` does
    not."""
    narrower, wider = (before, after) if direction == "answered" else (after, before)
    for name in before.get("properties", {}):
        if name not in after.get("properties", {}):
            yield f"{where}.{name} is gone"
        else:
            yield from less(before["properties"][name], after["properties"][name], direction, f"{where}.{name}")
    needed = set(narrower.get("required", ())) - set(wider.get("required", ()))
    yield from (f"{where}.{name} is {'needed' if direction == 'given' else 'not sure'} now" for name in sorted(needed))
    if "items" in before:
        yield from less(before["items"], after.get("items", {}), direction, f"{where}[]")
    for value in before.get("anyOf", ()):
        others = after.get("anyOf", (after,))
        if not any(not list(less(value, other, direction, where)) for other in others):
            yield f"{where}: {value} is not taken or given any more"
    kept = before.get("enum", ())
    if set(kept) - set(after.get("enum", kept)):
        yield f"{where}: {sorted(set(kept) - set(after['enum']))} is no value any more"
    yield from _rules(before, after, direction, where)


def _rules(before: Any, after: Any, direction: Direction, where: str) -> Iterator[str]:
    """The other keywords: of what is given none is added or changed, of what is answered none is lost or changed."""
    apart = TEXTS | {"properties", "required", "items", "anyOf", "enum", "$defs", "default"}
    if "anyOf" in before or "anyOf" in after:
        apart |= {"type"}
    was, now = ({name: item[name] for name in item.keys() - apart} for item in (before, after))
    if was.get("type") != now.get("type"):
        yield f"{where} is of type {now.get('type')}"
    if "pattern" in was and was["pattern"] == now.get("pattern"):  # which says more than they do
        was, now = ({name: item[name] for name in item.keys() - {"minLength", "maxLength"}} for item in (was, now))
    added, lost = now.keys() - was.keys(), was.keys() - now.keys()
    for name in sorted(added if direction == "given" else lost):
        yield f"{where}: {name} is {now.get(name)}"
    for name in sorted(was.keys() & now.keys() - {"type"}):
        if was[name] != now[name]:
            yield f"{where}: {name} is {now[name]}, not {was[name]}"
    if direction == "given" and "default" in before and before["default"] != after.get("default"):
        yield f"{where}: left out, it is {after.get('default')}"
