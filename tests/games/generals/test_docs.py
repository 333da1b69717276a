"""What docs/generals.md shows is up to date: its pictures, and the table of random play."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


def test_pictures_are_up_to_date(tmp_path):
    subprocess.run([sys.executable, ROOT / "scripts" / "make-generals-pictures", tmp_path], check=True)
    drawn = sorted(tmp_path.iterdir())
    page = (ROOT / "docs" / "generals.md").read_text(encoding="utf-8")
    for picture in drawn:
        kept = ROOT / "docs" / "images" / picture.name
        assert picture.read_text(encoding="utf-8") == kept.read_text(encoding="utf-8"), picture.name
        assert f"images/{picture.name}" in page
    assert len(drawn) == page.count("![")


@pytest.mark.slow
def test_the_table_of_random_play_is_up_to_date():
    bench = ROOT / "bench" / "generals_balance.py"
    run = subprocess.run([sys.executable, bench], check=True, capture_output=True, encoding="utf-8")
    assert run.stdout.strip() in (ROOT / "docs" / "generals.md").read_text(encoding="utf-8")
