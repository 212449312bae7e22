#!/bin/sh
# Keeps this machine's tunnel to its gateway open: one connection of OpenSSH's for all that it leads to. Made by the join script.
set -u
state=${0%/*}
key=$state/tunnel_key
child=
trap '[ -z "$child" ] || kill "$child" 2>/dev/null; exit 0' TERM INT HUP
while :; do
  { IFS= read -r host && IFS= read -r port; } < "$state/gateway" || exit 1
  set --
  while IFS=' ' read -r path to; do
    [ -z "$path" ] || set -- "$@" -R "$path:$to"
  done < "$state/forwards"
  [ $# -gt 0 ] || exit 0
  # The gateway is known by its key alone, wherever it is. A name that it refuses keeps the others up.
  ssh -N -T -F /dev/null -i "$key" -p "$port" -o BatchMode=yes -o IdentitiesOnly=yes -o IdentityAgent=none \
    -o ExitOnForwardFailure=no -o ServerAliveInterval=3 -o ServerAliveCountMax=2 -o ConnectTimeout=10 -o TCPKeepAlive=yes \
    -o StrictHostKeyChecking=yes -o "UserKnownHostsFile=\"$state/known_hosts\"" -o GlobalKnownHostsFile=/dev/null \
    -o HostKeyAlias=postern-gateway -o UpdateHostKeys=no -o LogLevel=ERROR "$@" "tunnel@$host" 2> "$state/tunnel.log" &
  child=$!
  wait "$child"
  child=
  # Whoever was taken out of the list is not let in: the gateway need not hear so every second.
  if grep -q 'Permission denied' "$state/tunnel.log"; then pause=30; else pause=1; fi
  sleep "$pause" &
  child=$!
  wait "$child"
  child=
done
