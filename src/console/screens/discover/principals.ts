// As whom a person uses what was enrolled: names that their roles give, and those that their own user adds.

/** Of the names that are granted, those that a role itself gives: they stay whatever the user says. */
export const fixedOf = (granted: readonly string[], own: readonly string[]): readonly string[] =>
  granted.filter(name => !own.includes(name));

/** Of one's own names, those that no role takes from the user. `*` among what is granted takes all. */
export const untaken = (granted: readonly string[], own: readonly string[]): readonly string[] =>
  granted.includes('*') ? [] : own.filter(name => !granted.includes(name));

/** The part of a role that takes such names from the user: `field` of a role, `trait` as templates call it. */
export const roleLines = (field: string, trait: string): string =>
  ['spec:', '  allow:', `    ${field}: ['{{internal.${trait}}}']`].join('\n');

/** The part of a role that gives one name to everybody who has it. */
export const namedLines = (field: string): string => ['spec:', '  allow:', `    ${field}: [NAME]`].join('\n');

/** What is tried as: what was typed or chosen where roles give it, else the first that they name. */
export const chosenName = (granted: readonly string[], typed: string): string =>
  granted.includes(typed) || granted.includes('*') ? typed : (granted[0] ?? '');
