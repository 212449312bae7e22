// Every verb there is, once: reading, help and completion are made from this list.
import { completionVerb } from './completion.ts';
import { machineVerbs } from './machine/verbs.ts';
import { personVerbs } from './person/verbs.ts';
import type { Verb } from './verb.ts';

export const verbs: readonly Verb[] = [...personVerbs, ...machineVerbs, completionVerb(() => verbs)];
