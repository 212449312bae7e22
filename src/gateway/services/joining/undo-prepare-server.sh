# Takes away what lets the gateway ask the kernel which commands were run.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
rm -f /usr/local/lib/postern/note-session /usr/local/lib/postern/read-session /etc/audit/rules.d/postern.rules \
  /etc/ssh/sshd_config.d/postern-audit.conf
rmdir /usr/local/lib/postern 2> /dev/null || :
if [ -f /etc/pam.d/sshd ]; then
  grep -v '/usr/local/lib/postern/note-session$' /etc/pam.d/sshd > /etc/pam.d/sshd.postern || :
  cat /etc/pam.d/sshd.postern > /etc/pam.d/sshd
  rm -f /etc/pam.d/sshd.postern
fi
augenrules --load > /dev/null 2>&1 || :
userdel postern-audit > /dev/null 2>&1 || :
