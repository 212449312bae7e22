import type { Account } from './account.ts';

export function closeInherited(): void;
export function becomeUser(account: Account): void;
