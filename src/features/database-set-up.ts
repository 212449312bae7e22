// What makes a database server show its certificate and take those of the gateway: the lines of its own configuration, by engine.

/** Lines as they are pasted; comments say where. `users`: database users, where the lines name them. */
export const databaseSetUpLines: Readonly<Record<string, (users: readonly string[]) => readonly string[]>> = {
  postgres: () => [
    '# postgresql.conf, beside which the three files lie, owned by postgres:',
    'ssl = on',
    "ssl_cert_file = 'server.crt'",
    "ssl_key_file = 'server.key'",
    "ssl_ca_file = 'server.cas'",
    '# pg_hba.conf, above lines that let others in; the name in the certificate is that of the database user:',
    'hostssl all all 0.0.0.0/0 cert',
    'hostssl all all ::/0 cert',
  ],
  mysql: users => [
    '# my.cnf, with the folder where the three files lie, owned by mysql:',
    '[mysqld]',
    'ssl_cert = /etc/mysql/postern/server.crt',
    'ssl_key = /etc/mysql/postern/server.key',
    'ssl_ca = /etc/mysql/postern/server.cas',
    '# As its administrator, for each database user; the name in the certificate is that of the user:',
    ...(users.length > 0 ? users : ['USER']).map(
      user => `create user '${user}'@'%' require subject '/CN=${user}'; grant select on DATABASE.* to '${user}'@'%';`,
    ),
  ],
  redis: () => [
    '# redis.conf, with the folder where the four files lie, owned by redis:',
    'port 0',
    'tls-port 6379',
    'tls-cert-file /etc/redis/server.crt',
    'tls-key-file /etc/redis/server.key',
    'tls-ca-cert-file /etc/redis/server.cas',
    'tls-auth-clients yes',
    '# Its users and what they may, and no other user line beside it:',
    'aclfile /etc/redis/users.acl',
  ],
};
