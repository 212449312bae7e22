#!/bin/sh
# Prepares an OpenSSH server so that Postern can make users there for its sessions (create_host_user). Run as root, once.
# It needs sudo and TrustedUserCAKeys. A login of its own may run one program as root: it makes users, and takes away those that it made.
set -eu
[ "$(id -u)" = 0 ] || { echo 'Run this as root.' >&2; exit 1; }
for tool in sudo visudo sshd useradd usermod userdel groupadd pkill flock base64; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: install sudo, passwd, procps, util-linux and openssh-server first." >&2; exit 1; }
done
id postern-users >/dev/null 2>&1 ||
  useradd --system --no-create-home --home-dir / --shell /bin/sh --password '*' postern-users
mkdir -p /usr/local/lib/postern /etc/ssh/sshd_config.d /etc/sudoers.d
cat > /usr/local/lib/postern/host-user <<'END'
#!/bin/sh
# Run as root for the login postern-users, with the words of the gateway: `ready`, `begin ID LOGIN drop|keep GROUPS SUDOERS`, `end ID LOGIN`.
# GROUPS has commas between them, SUDOERS is in base64; `-` is none. It never touches a user that it has not made.
set -euf
PATH=/usr/sbin:/usr/bin:/sbin:/bin
umask 077
made=/var/lib/postern/users
live=/run/postern/users
say() { printf '%s\n' "$*"; }
fail() {
  say "$*" >&2
  exit 1
}
is_name() {
  case $1 in
  '' | *[!a-z0-9_-]* | [!a-z_]*) return 1 ;;
  esac
  [ ${#1} -le 32 ]
}
is_used() { pgrep -u "$1" > /dev/null 2>&1; }
exists() { id -u "$1" > /dev/null 2>&1; }

# The last session of a user has ended: what it was allowed ends too, and it goes where it was made for the session alone.
finish() {
  rm -rf "${live:?}/$1"
  rm -f "/etc/sudoers.d/postern-$1"
  [ "$(cat "$made/$1" 2> /dev/null)" = drop ] || return 0
  tries=0
  while exists "$1"; do
    # What still runs as a user that is gone would belong to the next one of its number.
    pkill -KILL -u "$1" || :
    userdel --remove "$1" 2> "$live.said" && break
    # Its mail and home may be missing: it is gone all the same.
    exists "$1" || break
    tries=$((tries + 1))
    [ "$tries" -lt 25 ] || fail "the user $1 could not be removed: $(tail -n 1 "$live.said")"
    sleep 0.2
  done
  rm -f "$made/$1"
}
# Sessions whose end nobody told: their users run nothing, and were wanted long ago or before the machine started.
sweep() {
  for one in $(ls "$made"); do
    is_name "$one" || continue
    if is_used "$one"; then continue; fi
    if [ -d "$live/$one" ] && [ -n "$(find "$live/$one" -type f -mmin -10)" ]; then continue; fi
    if [ -d "$live/$one" ] || [ "$(cat "$made/$one")" = drop ]; then finish "$one"; fi
  done
}
allow() {
  file=/etc/sudoers.d/postern-$1
  if [ "$2" = - ]; then
    rm -f "$file"
    return
  fi
  printf '%s' "$2" | base64 -d > "$live.lines" 2> /dev/null || fail 'what sudo should allow cannot be read'
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in
    *\\) fail "a line of host_sudoers ends with a backslash: $line" ;;
    esac
    printf '%s %s\n' "$1" "$line"
  done < "$live.lines" > "$live.sudoers"
  visudo -cqf "$live.sudoers" > "$live.said" 2>&1 || fail "sudo does not take host_sudoers: $(head -n 1 "$live.said")"
  chmod 440 "$live.sudoers"
  mv -f "$live.sudoers" "$file"
}
begin() {
  if ! exists "$2"; then
    shell=/bin/sh
    [ ! -x /bin/bash ] || shell=/bin/bash
    useradd --create-home --shell "$shell" --password '*' --comment 'made by Postern' "$2" 2> "$live.said" ||
      fail "the user $2 could not be made: $(tail -n 1 "$live.said")"
    say "$3" > "$made/$2"
    say made
  elif [ ! -e "$made/$2" ]; then
    say kept
    return
  else
    [ "$3" = drop ] || say keep > "$made/$2"
    say known
  fi
  mkdir -p "$live/$2"
  : > "$live/$2/$1"
  groups=
  [ "$4" = - ] || groups=$4
  for group in $(printf '%s' "$groups" | tr , ' '); do
    is_name "$group" || fail "$group is no name of a group"
    grep -q "^$group:" /etc/group || groupadd "$group" 2> "$live.said" || fail "the group $group could not be made: $(tail -n 1 "$live.said")"
  done
  usermod -G "$groups" "$2" 2> "$live.said" || fail "$2 could not join its groups: $(tail -n 1 "$live.said")"
  allow "$2" "$5"
}

mkdir -p "$made" "$live"
exec 9> "$live.lock"
flock -w 20 9 || fail 'another session is being prepared'
# shellcheck disable=SC2086
set -- $1
case ${1:-} in
ready) [ $# = 1 ] || fail 'not understood' ;;
begin | end)
  case $2 in
  '' | *[!0-9a-f-]*) fail 'not understood' ;;
  esac
  is_name "$3" || fail "$3 is no name that is made here: up to 32 of a-z, 0-9, _ and -, not beginning with a number"
  sweep
  if [ "$1" = begin ]; then
    [ $# = 6 ] || fail 'not understood'
    case $4 in
    drop | keep) ;;
    *) fail 'not understood' ;;
    esac
    begin "$2" "$3" "$4" "$5" "$6"
  else
    [ $# = 3 ] || fail 'not understood'
    rm -f "$live/$3/$2"
    if [ -e "$made/$3" ] && rmdir "$live/$3" 2> /dev/null; then finish "$3"; fi
  fi
  ;;
*) fail 'not understood' ;;
esac
END
chmod 755 /usr/local/lib/postern/host-user
cat > /etc/sudoers.d/postern-users.new~ <<'END'
postern-users ALL=(root) NOPASSWD: /usr/local/lib/postern/host-user
END
visudo -cqf /etc/sudoers.d/postern-users.new~
chmod 440 /etc/sudoers.d/postern-users.new~
mv -f /etc/sudoers.d/postern-users.new~ /etc/sudoers.d/postern-users
cat > /etc/ssh/sshd_config.d/postern-users.conf <<'END'
Match User postern-users
  ForceCommand exec sudo -n /usr/local/lib/postern/host-user "$SSH_ORIGINAL_COMMAND"
  PermitTTY no
  DisableForwarding yes
Match all
END
sshd -t
systemctl reload ssh 2>/dev/null || systemctl reload sshd 2>/dev/null || echo 'Now make sshd read its configuration again.'
echo 'Prepared. Give the server the label users=made.'
