# Debian packages of another release than this machine's, for bin/setup and bin/rubies.
# shellcheck shell=sh
# Sourced, in sh or bash. apt's own settings are neither used nor changed: each call works
# with a throw-away configuration, and checks what it downloads against Debian's key.

DEBIAN_KEYRING=/usr/share/keyrings/debian-archive-keyring.gpg

# The mirror that this machine's apt is set to.
debian_mirror() {
  uri=
  if command -v apt-get >/dev/null 2>&1; then
    # shellcheck disable=SC2016
    uri=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages' |
      sed -n 's/^Debian|Debian|//p' | head -n 1)
  fi
  [ -n "$uri" ] || uri=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
    sed -nE 's/^URIs: *(\S+).*/\1/p; s/^deb (\[[^]]*\] )?(\S+) .*/\2/p' | grep 'debian/*$' | head -n 1)
  [ -n "$uri" ] || { echo "no Debian mirror in apt's settings" >&2 && return 1; }
  echo "${uri%/}"
}

# debian_apt FOLDER KIND SUITE: makes FOLDER a configuration that sees only SUITE, whose
# KIND is deb or deb-src; use it as `APT_CONFIG=FOLDER/conf apt-get ...`.
debian_apt() {
  mirror=$(debian_mirror) || return 1
  chmod 755 "$1"
  mkdir -p "$1/lists/partial" "$1/cache/archives/partial"
  echo "$2 [signed-by=$DEBIAN_KEYRING] $mirror $3 main" >"$1/list"
  cat >"$1/conf" <<CONF
Dir::Etc::SourceList "$1/list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "$1/lists";
Dir::Cache "$1/cache";
Acquire::Languages "none";
Acquire::Check-Valid-Until "false";
APT::Sandbox::User "root";
CONF
  APT_CONFIG=$1/conf apt-get update -qq
}

# debian_download FOLDER SUITE PACKAGE: FOLDER/PACKAGE_*.deb
debian_download() {
  debian_apt "$1" deb "$2" && (cd "$1" && APT_CONFIG=$1/conf apt-get download -qq "$3")
}
