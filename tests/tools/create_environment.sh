#!/usr/bin/env bash
# Create the virtual environment that the Makefile uses: create_environment.sh FOLDER [PYTHON]
# Needs Python 3.11 or later; installs only what requirements-dev.txt names, each file checked against its hash.
set -euo pipefail

folder=$1
wanted=${2:-}

# A command may be on the PATH and yet not run (pyenv's stand-ins), so each candidate is tried.
find_python() {
    local candidate
    for candidate in ${wanted:-python3.11 python3.12 python3.13 python3.14 python3 python}; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; then
            command -v "$candidate"
            return
        fi
    done
    if [ -n "$wanted" ]; then
        echo "PYTHON=$wanted is not a Python 3.11 or later that runs." >&2
    else
        echo "Triskel needs Python 3.11 or later, and none is on the PATH; install one or name it: make setup PYTHON=..." >&2
    fi
    return 1
}

works() {
    "$folder/bin/python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 &&
        "$folder/bin/python" -m pip --version >/dev/null 2>&1
}

if ! works; then
    python=$(find_python)
    if ! "$python" -c 'import ensurepip, venv' >/dev/null 2>&1; then
        echo "$python cannot create environments; on Debian and Ubuntu install the package python3-venv." >&2
        exit 1
    fi
    echo "Creating $folder with $("$python" --version)" >&2
    "$python" -m venv --clear "$folder"
fi

echo "Installing what requirements-dev.txt names" >&2
export PIP_DISABLE_PIP_VERSION_CHECK=1
"$folder/bin/python" -m pip install --quiet --require-hashes -r requirements-dev.txt
# Without build isolation: the build tool is among the hashed requirements, so nothing unhashed is fetched.
"$folder/bin/python" -m pip install --quiet --no-deps --no-build-isolation --editable .
