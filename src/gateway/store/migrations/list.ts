// The schema's steps. They only go forward, and one that has been released is never edited: add the next.
import { accessListEnds } from './access-list-ends.ts';
import { accessLists } from './access-lists.ts';
import { assumedRequests } from './assumed-requests.ts';
import { connectedPeople } from './connected-people.ts';
import { conversations } from './conversations.ts';
import { foundation } from './foundation.ts';
import { impersonators } from './impersonators.ts';
import { lastSignIn } from './last-sign-in.ts';
import type { Migration } from './migration.ts';
import { notificationReads } from './notification-reads.ts';
import { people } from './people.ts';
import { secondFactors } from './second-factors.ts';
import { sessionOrigins } from './session-origins.ts';
import { sessionPlaces } from './session-places.ts';
import { signInRules } from './sign-in-rules.ts';
import { signInTraits } from './sign-in-traits.ts';
import { trustedDevices } from './trusted-devices.ts';

export const migrations: readonly Migration[] = [
  foundation,
  sessionPlaces,
  people,
  secondFactors,
  connectedPeople,
  sessionOrigins,
  lastSignIn,
  assumedRequests,
  conversations,
  trustedDevices,
  notificationReads,
  accessLists,
  signInTraits,
  accessListEnds,
  impersonators,
  signInRules,
];
