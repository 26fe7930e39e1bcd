"""`gendei demo` in a browser: it says where, and what it serves is signed in."""

import asyncio
import sys

import httpx


async def test_the_demo_prints_an_address_that_signs_in(tmp_path):
    command = (sys.executable, "-c", "from gendei.cli import app; app()", "demo", "--pages", "--no-open")
    process = await asyncio.create_subprocess_exec(
        *command, cwd=tmp_path, stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE
    )
    try:
        assert process.stdout is not None
        address = (await process.stdout.readline()).decode().split()[-1]
        async with httpx.AsyncClient(follow_redirects=True) as browser:
            page = await browser.get(address)
            assert (page.status_code, page.url.path, "gendei" in browser.cookies) == (200, "/demo/boa-vida", True)
    finally:
        process.terminate()
        await process.wait()
    assert not (tmp_path / ".nicegui").exists()
