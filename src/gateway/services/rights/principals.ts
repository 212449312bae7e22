// As whom things are used: the key of roles that names them, and which names count there. The same rules as the session policy judges by.
import { type CloudProvider, cloudOf, cloudWords, isCloudIdentity } from '../../../contract/cloud-applications.ts';
import type { AccessAction } from '../../../contract/rights.ts';
import type { PrincipalKey, Rights } from '../../ports/rights.ts';
import type { Resource } from '../../store/store.ts';
import { awsPartition, isAwsRole } from '../aws-console.ts';
import { makesDatabaseUsers } from '../made-users.ts';
import { isLogin } from './rights.ts';

/** As whom one thing is used. */
export interface Principals {
  readonly key: PrincipalKey | 'logins';
  /** Whether a name is one that there could be. */
  readonly fits: (name: string) => boolean;
  /** Whether `*` in a role means any. */
  readonly hasAny: boolean;
  /** Whether somebody whose roles say create_db_user is there as a user of their own, whatever roles name; unless they deny it. */
  readonly makes: boolean;
}

const any = (key: PrincipalKey): Principals => ({
  key,
  fits: () => true,
  hasAny: true,
  makes: false,
});
const cloud = (provider: CloudProvider): Principals => ({
  key: cloudWords[provider].key,
  fits: name => isCloudIdentity(provider, name),
  hasAny: false,
  makes: false,
});
const byAction: Readonly<Record<Exclude<AccessAction, 'app'>, Principals>> = {
  ssh: { key: 'logins', fits: isLogin, hasAny: false, makes: false },
  db: any('db_users'),
  kube: any('kubernetes_groups'),
  desktop: any('windows_desktop_logins'),
};

/** As whom something is used; null: as nobody in particular, so that its labels alone decide. */
export function principalsOf(action: AccessAction, { spec }: Pick<Resource, 'spec'>): Principals | null {
  if (action === 'db') return { ...byAction.db, makes: makesDatabaseUsers(spec) };
  if (action !== 'app') return byAction[action];
  const uri = typeof spec === 'object' && spec !== null && 'uri' in spec ? String(spec.uri) : '';
  const provider = cloudOf(uri);
  if (provider !== null) return cloud(provider);
  const partition = awsPartition(uri);
  return partition && { key: 'aws_role_arns', fits: name => isAwsRole(name, partition), hasAny: false, makes: false };
}

/** Whom `user`, with these rights, may be there, by name; null: they may not use it at all. */
export function principalsOn(
  user: string,
  of: Pick<Rights, 'logins' | 'principals' | 'selects' | 'ownDatabaseUser'>,
  action: AccessAction,
  resource: Pick<Resource, 'spec' | 'labels'>,
): readonly string[] | null {
  const { labels } = resource;
  const as = principalsOf(action, resource);
  if (as === null) return of.selects('app', labels) ? [] : null;
  const named = as.key === 'logins' ? of.logins(labels) : of.principals(as.key, labels).filter(as.fits);
  const own = as.makes && of.ownDatabaseUser(labels) ? [user] : [];
  const names = [...new Set([...named, ...own])];
  return names.length === 0 ? null : names;
}
