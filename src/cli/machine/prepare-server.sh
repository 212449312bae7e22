#!/bin/sh
# Prepares an OpenSSH server so that Postern learns from its kernel which commands are run in its sessions, which files they open, and where
# they connect. Run as root, once.
# It needs auditd, PAM and TrustedUserCAKeys. The kernel writes down what the programs of a logged-in person do; sshd's PAM stack
# notes which log-in is which session, from the certificate that sshd has checked; and a login of its own reads both, and nothing else.
set -eu
[ "$(id -u)" = 0 ] || { echo 'Run this as root.' >&2; exit 1; }
for tool in auditctl ausearch augenrules sshd ssh-keygen; do
  command -v "$tool" >/dev/null || { echo "$tool is missing: install auditd and openssh-server first." >&2; exit 1; }
done
id postern-audit >/dev/null 2>&1 ||
  useradd --system --no-create-home --home-dir / --gid adm --shell /bin/sh postern-audit
mkdir -p /usr/local/lib/postern /etc/ssh/sshd_config.d
cat > /usr/local/lib/postern/note-session <<'END'
#!/bin/sh
# Run by sshd's PAM stack as root.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
[ "${PAM_USER:-}" != postern-audit ] || exit 0
sid=$(printf '%s\n' "${SSH_AUTH_INFO_0:-}" | sed -n 's/^publickey //p' | ssh-keygen -L -f - 2>/dev/null |
  sed -n 's/^ *Key ID: ".* session=\([0-9a-f-]*\)"$/\1/p')
[ -n "$sid" ] || exit 0
# Emptied at boot, as the numbers of log-ins begin anew then.
mkdir -p /run/postern
chown root:adm /run/postern && chmod 750 /run/postern
log_in=$(cat /proc/self/sessionid)
# What ran before this was the log-in's own doing.
echo "$sid $log_in $(date +%s.%3N)" >> /run/postern/sessions
END
cat > /usr/local/lib/postern/read-session <<'END'
#!/bin/sh
# The only thing that the login postern-audit can do: print what the kernel saw in one session.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
date +%s.%3N
# A session, and what is wanted of it; just its commands where nothing is said.
sid=${SSH_ORIGINAL_COMMAND%% *}
wanted=${SSH_ORIGINAL_COMMAND#"$sid"}
case "$sid" in
ready) [ -r /var/log/audit/audit.log ] || { echo 'the log of auditd cannot be read' >&2; exit 1; }; exit 0 ;;
'' | *[!0-9a-f-]*) echo 'not a session' >&2; exit 2 ;;
esac
# What the kernel has told auditd by now is in its log then.
sleep 1
log_ins=$(sed -n "s/^$sid //p" /run/postern/sessions)
[ -n "$log_ins" ] || { echo 'the log-in of this session was not noted' >&2; exit 3; }
echo "$log_ins" | while read -r log_in since; do
  echo "since=$since"
  for kind in ${wanted:-command}; do
    case $kind in
    command) key=postern ;;
    disk | network) key=postern-$kind ;;
    *) continue ;;
    esac
    # More of them would not be kept.
    ausearch --input-logs --start boot --session "$log_in" --key "$key" --word --raw 2>/dev/null |
      grep -aE '^type=(SYSCALL|EXECVE|CWD|PATH|SOCKADDR) ' | head -n 20000 || :
  done
done
END
chmod 755 /usr/local/lib/postern/note-session /usr/local/lib/postern/read-session
{
  echo '-a always,exit -F arch=b64 -S execve,execveat -F auid!=unset -k postern'
  # Connections over IPv4 and IPv6, told by the length of the address.
  for length in 16 28; do echo "-a always,exit -F arch=b64 -S connect -F a2=$length -F auid!=unset -k postern-network"; done
  # Files that every program opens say nothing of it.
  for file in /etc/ld.so.cache /dev/null /dev/tty; do
    echo "-a never,exit -F arch=b64 -S openat -F path=$file -F auid!=unset"
  done
  # Files that are opened to be written, and of the rest those that are not parts of the system which every program reads.
  echo '-a always,exit -F arch=b64 -S openat -F a2&3 -F auid!=unset -k postern-disk'
  for folder in /usr /lib /proc /sys /dev; do
    [ ! -d "$folder" ] || echo "-a never,exit -F arch=b64 -S openat -F dir=$folder -F auid!=unset"
  done
  calls=openat,openat2
  [ "$(uname -m)" != x86_64 ] || calls=$calls,open,creat
  echo "-a always,exit -F arch=b64 -S $calls -F auid!=unset -k postern-disk"
} > /etc/audit/rules.d/postern.rules
augenrules --load >/dev/null
cat > /etc/ssh/sshd_config.d/postern-audit.conf <<'END'
Match User postern-audit
  ForceCommand /usr/local/lib/postern/read-session
  PermitTTY no
  DisableForwarding yes
Match all
END
line='session optional pam_exec.so type=open_session quiet /usr/local/lib/postern/note-session'
grep -qxF "$line" /etc/pam.d/sshd || echo "$line" >> /etc/pam.d/sshd
sshd -t
systemctl reload ssh 2>/dev/null || systemctl reload sshd 2>/dev/null || echo 'Now make sshd read its configuration again.'
echo 'Prepared. Give the server the labels commands=kernel, disk=kernel and network=kernel.'
