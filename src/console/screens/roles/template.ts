// What a new role begins with: a role that is valid, small, and shows the parts that people change first.
import type { ResourceItem } from '../../../contract/roles.ts';

export const NEW_ROLE = `kind: role
version: v7
metadata:
  name: new-role
  description: What this role is for
spec:
  options:
    max_session_ttl: 8h
  allow:
    # Logins on servers, and the labels of the servers they are for.
    logins: ['{{internal.logins}}']
    node_labels:
      env: dev
    rules:
      - resources: [event]
        verbs: [list, read]
  deny: {}
`;

/** What is said once a role is saved: with what of it is kept and not enforced yet. */
export const savedText = ({ name, notes = [] }: Pick<ResourceItem, 'name' | 'notes'>): string =>
  [`The role ${name} has been saved`, ...notes].join('. ');
