# What the gateway writes above: gateway, audience, token, role (Node, Db or App), method (how the token is proved), name, uri, tunnel_script, prepare_script,
# undo_prepare_script, prepare_users_script, undo_prepare_users_script.

sshd_config=/etc/ssh/sshd_config
state=/etc/postern
address=
protocol=
service=yes
dry=
uninstall=
audit=
users=
config_given=
id_token=

usage() {
  cat <<'END'
Lets this machine join. Options, after `sudo sh -s --`:
  --name NAME          what it is called in lists; a server: its host name unless said
  --address HOST[:PORT]  a server that the gateway can dial: no tunnel is kept open
  --uri ADDRESS        what a database or an application is reached at from here, such as 127.0.0.1:5432
  --protocol NAME      of a database: postgres, mysql or redis
  --audit              a server: the kernel also notes which commands are run (needs auditd)
  --users              a server: users are made there for sessions, where roles say so (needs sudo)
  --plain              keep the tunnel open as a plain process rather than by systemd
  --state FOLDER       where keys are kept; /etc/postern unless said
  --id-token-file FILE what proves this machine, where the token has no secret; unless said, what GitHub
                       Actions answers, or $POSTERN_ID_TOKEN
  --sshd-config FILE   configuration of sshd; /etc/ssh/sshd_config unless said
  --dry-run            only say what would be done
  --uninstall          take everything away again that this script did
END
}
say() { printf '%s\n' "$*"; }
fail() {
  printf 'postern: %s\n' "$*" >&2
  exit 1
}
# Does something, or says that it would.
act() {
  if [ -n "$dry" ]; then say "would run: $*"; else "$@"; fi
}
# Writes what it reads into a file, whole or not at all: put FILE MODE
put() {
  if [ -n "$dry" ]; then
    cat > /dev/null
    say "would write: $1"
    return
  fi
  cat > "$1.new"
  chmod "$2" "$1.new"
  mv -f "$1.new" "$1"
}
# Lines of a file without one of them: without FILE LINE
without() { grep -vxF -- "$2" "$1" || :; }
has() { command -v "$1" > /dev/null 2>&1; }
need() {
  for tool in "$@"; do has "$tool" || fail "$tool is missing: install it first"; done
}
find_sshd() {
  for sshd in "$(command -v sshd || :)" /usr/sbin/sshd /usr/local/sbin/sshd /sbin/sshd; do
    [ -z "$sshd" ] || [ ! -x "$sshd" ] || return 0
  done
  fail 'sshd is missing: install OpenSSH first'
}
# What sshd would do, in lower case: effective KEYWORD
effective() { sed -n "s/^$1 //p" "$work/sshd"; }
reload_sshd() {
  if [ -z "$config_given" ] && has systemctl && [ -d /run/systemd/system ]; then
    act systemctl reload ssh 2> /dev/null || act systemctl reload sshd 2> /dev/null || say 'Now make sshd read its configuration again.'
    return
  fi
  pid_file=$(effective pidfile)
  if [ -r "$pid_file" ]; then act kill -HUP "$(cat "$pid_file")"; else say 'Now make sshd read its configuration again.'; fi
}
use_systemd() { [ -n "$service" ] && has systemctl && [ -d /run/systemd/system ]; }

# Stops whatever keeps the tunnel open.
stop_tunnel() {
  if use_systemd && [ -e /etc/systemd/system/postern-tunnel.service ]; then
    act systemctl disable --now --quiet postern-tunnel.service || :
  fi
  if [ -r "$state/tunnel.pid" ]; then
    act kill "$(cat "$state/tunnel.pid")" 2> /dev/null || :
    act rm -f "$state/tunnel.pid"
  fi
}
start_tunnel() {
  stop_tunnel
  if use_systemd; then
    put /etc/systemd/system/postern-tunnel.service 644 <<END
[Unit]
Description=Tunnel to the Postern gateway
After=network-online.target
Wants=network-online.target
[Service]
ExecStart=/bin/sh "$state/tunnel"
Restart=always
RestartSec=1
[Install]
WantedBy=multi-user.target
END
    act systemctl daemon-reload
    act systemctl enable --now --quiet postern-tunnel.service
  elif [ -n "$dry" ]; then
    say "would run: sh $state/tunnel, in the background"
  else
    if has setsid; then
      setsid sh "$state/tunnel" < /dev/null > /dev/null 2>&1 &
    else
      nohup sh "$state/tunnel" < /dev/null > /dev/null 2>&1 &
    fi
    echo $! > "$state/tunnel.pid"
  fi
}

read_sshd() {
  find_sshd
  [ -r "$sshd_config" ] || fail "$sshd_config cannot be read: run this as root, or say where it is with --sshd-config"
  "$sshd" -T -C user=root,host=localhost,addr=127.0.0.1 -f "$sshd_config" > "$work/sshd" 2> "$work/said" || fail "sshd finds fault with $sshd_config: $(cat "$work/said")"
}
# The block of ours, taken out of sshd's configuration.
without_block() { sed '/^# BEGIN postern$/,/^# END postern$/d' "$sshd_config"; }

# Puts our lines where sshd reads them first; puts it back as it was when sshd does not like them.
configure_sshd() {
  # Whose certificates are believed already: our line is added to that file, which stays theirs.
  trusted=$(effective trustedusercakeys)
  lines="HostCertificate \"$state/ssh_host_cert.pub\""
  if [ "$trusted" = none ] || [ "$trusted" = "$state/user_ca.pub" ]; then
    lines="TrustedUserCAKeys \"$state/user_ca.pub\"
$lines"
  elif [ -n "$dry" ]; then
    say "would add our line to: $trusted"
  elif ! grep -qxF -- "$(cat "$state/user_ca.pub")" "$trusted"; then
    cat "$state/user_ca.pub" >> "$trusted"
    printf '%s\n' "$trusted" > "$state/trusted_elsewhere"
  fi
  if [ -n "$dry" ]; then
    say "would write: $sshd_config"
    return
  fi
  cp -p "$sshd_config" "$work/before"
  { printf '# BEGIN postern\n%s\n# END postern\n' "$lines" && without_block; } > "$work/after"
  cat "$work/after" > "$sshd_config"
  "$sshd" -t -f "$sshd_config" 2> "$work/said" || {
    cat "$work/before" > "$sshd_config"
    fail "sshd does not take its new configuration, the old one is back: $(cat "$work/said")"
  }
}

take_away() {
  stop_tunnel
  act rm -f /etc/systemd/system/postern-tunnel.service
  if [ -e "$sshd_config" ] && grep -q '^# BEGIN postern$' "$sshd_config"; then
    read_sshd
    if [ -n "$dry" ]; then
      say "would write: $sshd_config"
    else
      without_block > "$work/after"
      cat "$work/after" > "$sshd_config"
    fi
    if [ -r "$state/trusted_elsewhere" ] && [ -z "$dry" ]; then
      trusted=$(cat "$state/trusted_elsewhere")
      without "$trusted" "$(cat "$state/user_ca.pub")" > "$work/after"
      cat "$work/after" > "$trusted"
    fi
    reload_sshd
  fi
  if [ -e "$state/audited" ]; then
    if [ -n "$dry" ]; then say 'would take away: what notes commands'; else sh -c "$undo_prepare_script"; fi
  fi
  if [ -e "$state/makes_users" ]; then
    if [ -n "$dry" ]; then say 'would take away: what makes users'; else sh -c "$undo_prepare_users_script"; fi
  fi
  for file in makes_users tunnel tunnel_key tunnel_key.pub tunnel.log gateway known_hosts forwards user_ca.pub ssh_host_cert.pub \
    trusted_elsewhere audited joined_Node joined_App joined_Db; do
    act rm -f "$state/$file"
  done
  [ ! -d "$state" ] || act rmdir "$state" 2> /dev/null || :
  say 'Taken away. The entry in the lists of the gateway stays until somebody removes it there.'
}

# The server's own key that people meet first: prints its public half.
host_key() {
  effective hostkey > "$work/keys"
  for kind in ed25519 ecdsa rsa ''; do
    while IFS= read -r file; do
      case $file in
      *"$kind"*) ;;
      *) continue ;;
      esac
      if [ -r "$file.pub" ]; then
        cat "$file.pub"
        return
      fi
      if ssh-keygen -y -f "$file" 2> /dev/null; then return; fi
    done < "$work/keys"
  done
  fail 'sshd has no host key that can be read: run this as root'
}
# Where sshd listens on this machine, best on its loopback.
listening() {
  effective listenaddress > "$work/listening"
  port=$(effective port | head -n 1)
  if [ ! -s "$work/listening" ] || grep -q '^0\.0\.0\.0:\|^\[::\]:\|^127\.' "$work/listening"; then
    printf '127.0.0.1:%s\n' "$port"
  else
    head -n 1 "$work/listening"
  fi
}

# Sends the form fields that it is given; what is answered stands in $work/answer.
ask() {
  for field in "$@"; do
    # The value goes by a file, so that nothing in it is a word of curl's.
    printf '%s' "${field#*=}" > "$work/value.${field%%=*}"
    set -- "$@" --data-urlencode "${field%%=*}@$work/value.${field%%=*}"
    shift
  done
  # The token stands in no list of processes.
  code=$(printf 'url = "%s/scripts/%s/join"\n' "$gateway" "$token" |
    curl -sS -K - -o "$work/answer" -w '%{http_code}' --max-time 60 "$@" 2> "$work/said") ||
    fail "the gateway cannot be reached: $(cat "$work/said")"
  [ "$code" = 200 ] || fail "$(cat "$work/answer")"
}
answer() { sed -n "s/^$1 //p" "$work/answer" | head -n 1; }

# What somebody else says of this machine, where the join token has no secret (a secret stands after a dot).
find_id_token() {
  case $token in
  *.*) return ;;
  esac
  [ "$method" != iam ] || return 0
  [ -n "$id_token" ] || id_token=${POSTERN_ID_TOKEN:-}
  if [ -z "$id_token" ] && [ -n "${ACTIONS_ID_TOKEN_REQUEST_URL:-}" ]; then
    printf 'url = "%s&audience=%s"\nheader = "Authorization: bearer %s"\n' "$ACTIONS_ID_TOKEN_REQUEST_URL" "$audience" "$ACTIONS_ID_TOKEN_REQUEST_TOKEN" |
      curl -fsS -K - -o "$work/said" --max-time 60 || fail 'GitHub Actions gives no ID token: the job needs the permission id-token: write'
    id_token=$(sed -n 's/.*"value" *: *"\([^"]*\)".*/\1/p' "$work/said")
  fi
  [ -n "$id_token" ] || fail 'this join token has no secret: give --id-token-file FILE, or set POSTERN_ID_TOKEN'
}

# Hex SHA-256 of what it reads.
sha256() { if has sha256sum; then sha256sum; else shasum -a 256; fi | cut -c 1-64; }
# Bytes of hex digits.
unhex() {
  left=$1
  bytes=
  while [ -n "$left" ]; do
    byte=$((0x${left%"${left#??}"}))
    left=${left#??}
    bytes="$bytes\\0$((byte / 64))$((byte / 8 % 8))$((byte % 8))"
  done
  printf %b "$bytes"
}
hex() { printf '%s' "$1" | od -An -v -tx1 | tr -d ' \n'; }
# A key as HMAC mixes it with one byte, in 64 bytes: pad HEXKEY BYTE
pad() {
  left=$1
  mixed=
  count=0
  while [ $count -lt 64 ]; do
    byte=0
    if [ -n "$left" ]; then
      byte=$((0x${left%"${left#??}"}))
      left=${left#??}
    fi
    byte=$((byte ^ $2))
    mixed="$mixed\\0$((byte / 64))$((byte / 8 % 8))$((byte % 8))"
    count=$((count + 1))
  done
  printf %b "$mixed"
}
# Hex HMAC-SHA-256 (RFC 2104) of a text: no key is a word of a program, which everybody on this machine could read: hmac HEXKEY TEXT
hmac() {
  inner=$({ pad "$1" 54 && printf '%s' "$2"; } | sha256)
  { pad "$1" 92 && unhex "$inner"; } | sha256
}
# Asks EC2 what this machine is: metadata PATH
metadata() {
  printf 'header = "X-aws-ec2-metadata-token: %s"\n' "$session" |
    curl -fsS -K - --noproxy '*' --max-time 5 "${AWS_EC2_METADATA_SERVICE_ENDPOINT:-http://169.254.169.254}/latest/$1"
}
field() { sed -n "s/.*\"$1\" *: *\"\([^\"]*\)\".*/\1/p" "$work/role"; }
# Credentials of this machine: those of the environment, else of its role in EC2.
find_aws() {
  aws_key=${AWS_ACCESS_KEY_ID:-}
  aws_secret=${AWS_SECRET_ACCESS_KEY:-}
  aws_session=${AWS_SESSION_TOKEN:-}
  region=${AWS_REGION:-${AWS_DEFAULT_REGION:-}}
  [ -z "$aws_key" ] || [ -z "$region" ] || return 0
  session=$(curl -fsS -X PUT -H 'X-aws-ec2-metadata-token-ttl-seconds: 60' --noproxy '*' --max-time 5 \
    "${AWS_EC2_METADATA_SERVICE_ENDPOINT:-http://169.254.169.254}/latest/api/token" 2> /dev/null) ||
    fail 'this is no machine of EC2: set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION, or run it there'
  [ -n "$region" ] || region=$(metadata meta-data/placement/region) || fail 'EC2 does not say in which region this machine is'
  [ -z "$aws_key" ] || return 0
  profile=$(metadata meta-data/iam/security-credentials/ 2> /dev/null | head -n 1)
  [ -n "$profile" ] || fail 'this machine has no role in AWS: give it an instance profile'
  metadata "meta-data/iam/security-credentials/$profile" > "$work/role" || fail 'EC2 gives no credentials of the role of this machine'
  aws_key=$(field AccessKeyId)
  aws_secret=$(field SecretAccessKey)
  aws_session=$(field Token)
}
# Signs the question who this machine is, for AWS (Signature Version 4): the gateway asks it. Answers in $work/aws.
sign_for_aws() {
  need sed od tr cut date
  find_aws
  code=$(printf 'url = "%s/scripts/%s/challenge"\n' "$gateway" "$token" |
    curl -sS -K - -X POST -o "$work/challenge" -w '%{http_code}' --max-time 60 2> "$work/said") ||
    fail "the gateway cannot be reached: $(cat "$work/said")"
  [ "$code" = 200 ] || fail "$(cat "$work/challenge")"
  challenge=$(cat "$work/challenge")
  now=$(date -u +%Y%m%dT%H%M%SZ)
  day=${now%T*}
  case $region in
  cn-*) host=sts.$region.amazonaws.com.cn ;;
  *) host=sts.$region.amazonaws.com ;;
  esac
  names="content-type;host;x-amz-date${aws_session:+;x-amz-security-token};x-postern-challenge"
  body=$(printf '%s' 'Action=GetCallerIdentity&Version=2011-06-15' | sha256)
  request=$({
    printf 'POST\n/\n\ncontent-type:application/x-www-form-urlencoded; charset=utf-8\nhost:%s\nx-amz-date:%s\n' "$host" "$now"
    [ -z "$aws_session" ] || printf 'x-amz-security-token:%s\n' "$aws_session"
    printf 'x-postern-challenge:%s\n\n%s\n%s' "$challenge" "$names" "$body"
  } | sha256)
  key=$(hmac "$(hex "AWS4$aws_secret")" "$day")
  for word in "$region" sts aws4_request; do key=$(hmac "$key" "$word"); done
  signature=$(hmac "$key" "AWS4-HMAC-SHA256
$now
$day/$region/sts/aws4_request
$request")
  {
    printf 'region: %s\nx-amz-date: %s\nx-postern-challenge: %s\n' "$region" "$now" "$challenge"
    [ -z "$aws_session" ] || printf 'x-amz-security-token: %s\n' "$aws_session"
    printf 'authorization: AWS4-HMAC-SHA256 Credential=%s/%s/%s/sts/aws4_request, SignedHeaders=%s, Signature=%s\n' \
      "$aws_key" "$day" "$region" "$names" "$signature"
  } > "$work/aws"
}

main() {
  while [ $# -gt 0 ]; do
    case $1 in
    --name | --address | --uri | --protocol | --state | --sshd-config | --id-token-file)
      [ $# -gt 1 ] || fail "$1 needs a value"
      case $1 in
      --name) name=$2 ;;
      --address) address=$2 ;;
      --uri) uri=$2 ;;
      --protocol) protocol=$2 ;;
      --state) state=$2 ;;
      --id-token-file) id_token=$(cat "$2") || fail "$2 cannot be read" ;;
      *)
        sshd_config=$2
        config_given=yes
        ;;
      esac
      shift
      ;;
    --audit) audit=yes ;;
    --users) users=yes ;;
    --plain) service= ;;
    --dry-run) dry=yes ;;
    --uninstall) uninstall=yes ;;
    --help)
      usage
      exit 0
      ;;
    *)
      usage >&2
      fail "$1 is no option"
      ;;
    esac
    shift
  done
  case $state in
  /*) ;;
  *) fail '--state: a folder from the root on, such as /etc/postern' ;;
  esac
  case $state$sshd_config in
  *[!A-Za-z0-9/._\ -]*) fail 'paths: letters, digits, spaces and / . _ - only' ;;
  esac
  umask 077
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  if [ -n "$uninstall" ]; then
    take_away
    exit 0
  fi
  need curl ssh ssh-keygen sed grep mktemp
  [ "$role" = Node ] || [ -z "$audit$users$address" ] || fail '--audit, --users and --address are for servers'
  [ "$role" != App ] || [ -n "$name" ] || fail 'an application needs --name and --uri'
  if [ "$role" = Node ]; then
    read_sshd
    [ -n "$name" ] || name=$(hostname 2> /dev/null || uname -n)
  fi
  act mkdir -p "$state"
  [ -n "$dry" ] || [ -w "$state" ] || fail "$state cannot be written: run this as root"
  if [ ! -e "$state/tunnel_key" ]; then
    act ssh-keygen -q -t ed25519 -N '' -C postern-tunnel -f "$state/tunnel_key"
  fi
  if [ -n "$dry" ]; then
    say "would join at: $gateway"
    [ "$role" != Node ] || configure_sshd
    [ -n "$address" ] || start_tunnel
    exit 0
  fi

  if [ "$role" = Node ] && [ -e "$state/joined_Node" ]; then
    say "This machine has joined already as $(cat "$state/joined_Node"): its set-up is looked after, nothing is asked for."
  else
    join
  fi
  if [ "$role" = Node ]; then
    configure_sshd
    reload_sshd
  fi
  if [ -n "$audit" ]; then
    sh -c "$prepare_script"
    : > "$state/audited"
  fi
  if [ -n "$users" ]; then
    sh -c "$prepare_users_script"
    : > "$state/makes_users"
  fi
  if [ -s "$state/forwards" ]; then
    printf '%s\n' "$tunnel_script" | put "$state/tunnel" 700
    start_tunnel
  fi
  say "Joined as $(cat "$state/joined_$role")."
  [ -z "$address" ] && [ -s "$state/forwards" ] && ! use_systemd && say "The tunnel runs until this machine stops: start it at boot with: sh $state/tunnel"
  :
}

join() {
  set -- "role=$role" "name=$name" "tunnelKey=$(cat "$state/tunnel_key.pub")" "address=$address"
  if [ "$role" = Node ]; then
    key=$(host_key)
    listen=$(listening)
    set -- "$@" "hostKey=$key" "listen=$listen" "audit=$audit" "users=$users"
  else
    set -- "$@" "uri=$uri" "protocol=$protocol"
  fi
  find_id_token
  [ -z "$id_token" ] || set -- "$@" "idToken=$id_token"
  if [ "$method" = iam ]; then
    sign_for_aws
    set -- "$@" "awsRequest=$(cat "$work/aws")"
  fi
  ask "$@"
  touch "$state/forwards"
  sed -n 's/^forward //p' "$work/answer" > "$work/forwards"
  # What is there already stays; the same name is not there twice.
  while IFS=' ' read -r path to; do
    grep -v "^$path " "$state/forwards" > "$work/others" || :
    { cat "$work/others" && printf '%s %s\n' "$path" "$to"; } > "$work/all"
    put "$state/forwards" 600 < "$work/all"
  done < "$work/forwards"
  if [ -s "$work/forwards" ]; then
    printf '%s\n%s\n' "$(answer gateway-host)" "$(answer gateway-port)" | put "$state/gateway" 600
    printf 'postern-gateway %s\n' "$(answer gateway-key)" | put "$state/known_hosts" 600
  fi
  if [ "$role" = Node ]; then
    answer user-ca | put "$state/user_ca.pub" 644
    answer host-certificate | put "$state/ssh_host_cert.pub" 644
    chmod 755 "$state"
  fi
  answer name | put "$state/joined_$role" 600
}

main "$@"
