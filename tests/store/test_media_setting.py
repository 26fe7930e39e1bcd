import pytest

from gendei.app import open_media
from gendei.errors import ConfigurationError
from gendei.settings import Settings


@pytest.mark.parametrize("place", ["gs://bucket", "s3://bucket", "file:///srv/media"])
def test_a_media_store_that_is_no_folder_stops_the_start(place: str) -> None:
    with pytest.raises(ConfigurationError, match=r"^GENDEI_MEDIA: is no folder"):
        open_media(Settings.load(_env_file=None, media=place))
