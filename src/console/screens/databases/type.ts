// A database's type as people name it.
const protocols: Readonly<Record<string, string>> = {
  postgres: 'PostgreSQL',
  mysql: 'MySQL/MariaDB',
  mongodb: 'MongoDB',
  sqlserver: 'SQL Server',
  redis: 'Redis',
  oracle: 'Oracle',
  cockroachdb: 'CockroachDB',
  cassandra: 'Cassandra',
  elasticsearch: 'Elasticsearch',
};
const amazon: Readonly<Record<string, string>> = {
  redshift: 'Amazon Redshift',
  'redshift-serverless': 'Amazon Redshift Serverless',
  elasticache: 'Amazon ElastiCache',
  memorydb: 'Amazon MemoryDB',
  keyspace: 'Amazon Keyspaces',
  keyspaces: 'Amazon Keyspaces',
  dynamodb: 'Amazon DynamoDB',
  opensearch: 'Amazon OpenSearch',
};
const hosts: Readonly<Record<string, string>> = {
  rds: 'Amazon RDS',
  rdsproxy: 'Amazon RDS Proxy',
  gcp: 'Cloud SQL',
  azure: 'Azure',
  'self-hosted': 'Self-hosted',
};

/** Such as "Amazon RDS PostgreSQL" or "Self-hosted MySQL/MariaDB". */
export function databaseType(type: string, protocol: string): string {
  if (protocol === 'snowflake') return 'Snowflake';
  const whole = amazon[type];
  if (whole !== undefined) return whole;
  return `${hosts[type] ?? type} ${protocols[protocol] ?? protocol}`;
}
