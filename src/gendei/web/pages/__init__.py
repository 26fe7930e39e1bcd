"""The pages: NiceGUI on the service's own application. Nothing here is imported before `mount.add_pages` is called, so
that commands and workers stay quick.

A page is a module called `*_page.py` in this package, or `page.py` in a folder of it, with functions under
`@frame.staff_page(path, title=...)`. Its handlers act through `acting`, its dialogs are `sheets`, its lists and panels
are made of `panels`; its sentences stand in `texts/`, and what it looks like beyond the theme in `static/`.
"""
