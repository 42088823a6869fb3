"""Name, and as root on Debian or Ubuntu install, the system libraries that Qt needs and this machine lacks.

    python qt_libraries.py offscreen     what the tests need, without a display
    python qt_libraries.py window        what a window on this desktop needs

Needs PySide6 in the running environment and nothing else of Triskel's; imports no Qt, since the import is
what fails. Linux only: elsewhere Qt brings what it needs, and the script ends at once.
"""

import argparse
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

# Loaded by every Qt program with widgets.
BASE = (
    "lib/libQt6Widgets.so.6",
    "lib/libQt6Svg.so.6",
    "lib/libQt6PrintSupport.so.6",
    "lib/libQt6Network.so.6",
    "lib/libQt6Test.so.6",
    "plugins/imageformats/libqsvg.so",
    "plugins/iconengines/libqsvgicon.so",
)
PLATFORMS = {
    "offscreen": ("plugins/platforms/libqoffscreen.so",),
    "xcb": ("plugins/platforms/libqxcb.so", "plugins/xcbglintegrations/libqxcb-glx-integration.so"),
    "wayland": ("plugins/platforms/libqwayland.so", "plugins/wayland-shell-integration/libxdg-shell.so"),
}

# The Debian package of each library that a bare Debian or Ubuntu may lack, found with `dpkg -S` for the libraries
# that ldd lists under PySide6 6.12. What these packages themselves depend on follows through apt.
PACKAGES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libGLX.so.0": "libglx0",
    "libGLdispatch.so.0": "libglvnd0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libexpat.so.1": "libexpat1",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libgssapi_krb5.so.2": "libgssapi-krb5-2",
    "libpng16.so.16": "libpng16-16",
    "libstdc++.so.6": "libstdc++6",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-glx.so.0": "libxcb-glx0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libz.so.1": "zlib1g",
    "libzstd.so.1": "libzstd1",
}


def main() -> int:
    """Return 0 when all libraries are there, or were installed; 1 with a sentence on stderr when some are missing."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("use", choices=("offscreen", "window"))
    use = parser.parse_args().use
    qt = _qt_folder()
    # Without ldd (not a glibc system) nothing can be said; Qt itself will name what it lacks.
    if not sys.platform.startswith("linux") or qt is None or shutil.which("ldd") is None:
        return 0
    missing = missing_libraries(qt, _platform(use))
    if not missing:
        return 0
    known, unknown = packages_for(missing)
    if known and _may_install():
        print(f"Installing for Qt: {' '.join(known)}", file=sys.stderr)
        if _install(known):
            missing = missing_libraries(qt, _platform(use))
            known, unknown = packages_for(missing)
    if not missing:
        return 0
    if known:
        print(f"Qt needs system libraries that are not installed. On Debian or Ubuntu: "
              f"sudo apt-get install {' '.join(known)}", file=sys.stderr)  # fmt: skip
    if unknown:
        print(f"Qt needs libraries whose package is not known here: {' '.join(unknown)}", file=sys.stderr)
    return 1


def missing_libraries(qt: Path, platform: str) -> list[str]:
    """Return the sonames, sorted, that the parts of Qt for `platform` need and the loader does not find."""
    parts = [str(qt / part) for part in (*BASE, *PLATFORMS[platform]) if (qt / part).exists()]
    # Untranslated, since the words "not found" are what is read.
    environment = {**os.environ, "LC_ALL": "C"}
    listing = subprocess.run(["ldd", *parts], capture_output=True, text=True, check=False, env=environment).stdout
    return sorted({line.split()[0] for line in listing.splitlines() if line.rstrip().endswith("=> not found")})


def packages_for(sonames: list[str]) -> tuple[list[str], list[str]]:
    """Return the Debian packages of `sonames`, and those sonames for which none is known."""
    known = sorted({PACKAGES[soname] for soname in sonames if soname in PACKAGES})
    return known, [soname for soname in sonames if soname not in PACKAGES]


def _qt_folder() -> Path | None:
    found = importlib.util.find_spec("PySide6")
    if found is None or not found.submodule_search_locations:
        return None
    return Path(found.submodule_search_locations[0]) / "Qt"


def _platform(use: str) -> str:
    if use == "offscreen":
        return "offscreen"
    return "wayland" if os.environ.get("WAYLAND_DISPLAY") and not os.environ.get("DISPLAY") else "xcb"


def _may_install() -> bool:
    release = Path("/etc/os-release")
    words = release.read_text(encoding="utf-8").replace('"', " ").replace("=", " ").split() if release.exists() else []
    return os.geteuid() == 0 and shutil.which("apt-get") is not None and bool({"debian", "ubuntu"} & set(words))


def _install(packages: list[str]) -> bool:
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    commands = (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *packages])
    return all(
        subprocess.run(["apt-get", *command], check=False, env=environment, stdout=subprocess.DEVNULL).returncode == 0
        for command in commands
    )


if __name__ == "__main__":
    sys.exit(main())
