#!/usr/bin/env python3
"""What a small script does in place of a run of Morrow that finds its slot
filled: take a lock, ask the site, look for the slot, let go.

usage: noop.py LOCK URL DATE_GMT, with WP_USER and WP_PASSWORD in the environment
"""

import fcntl
import os
import sys

import requests


def main() -> int:
    lock, url, slot = sys.argv[1:]
    with open(lock, "w") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("busy")
            return 75
        answer = requests.get(
            url,
            auth=(os.environ["WP_USER"], os.environ["WP_PASSWORD"]),
            headers={"Accept": "application/json", "Cache-Control": "no-cache"},
            timeout=60,
        )
        answer.raise_for_status()
        for post in answer.json():
            if post["status"] in ("future", "publish") and post["date_gmt"] == slot:
                print(f"{slot}: already booked, post {post['id']}")
                return 0
    print(f"{slot}: free")
    return 3


if __name__ == "__main__":
    sys.exit(main())
