# Takes away what lets the gateway have users made for sessions. Users that were made to stay, stay.
PATH=/usr/sbin:/usr/bin:/sbin:/bin
rm -f /etc/sudoers.d/postern-users /usr/local/lib/postern/host-user /etc/ssh/sshd_config.d/postern-users.conf
rmdir /usr/local/lib/postern 2> /dev/null || :
userdel postern-users > /dev/null 2>&1 || :
