"""The pages: NiceGUI on the service's own application. Nothing here is imported before `mount.add_pages` is called, so
that commands and workers stay quick.

A page is a module called `*_page.py` in this package, with functions under `@frame.staff_page(path, title=...)`; its
sentences stand in `texts/`, and what it looks like beyond the theme in `static/`.
"""
