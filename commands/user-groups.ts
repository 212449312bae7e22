// User groups: a list without a page of its own (the specification gives it no route). What they group are applications, and those have one.
import { answer } from './answer.ts';
import { type Command, command } from './command.ts';
import { listedArgument } from './find.ts';
import { reachesInConsole } from './gates.ts';

/** Characters of a filter (listQuery of src/contract/shapes.ts); a group may name more applications than fit. */
const QUERY_MOST_CHARACTERS = 4096;

export const userGroups: readonly Command[] = [
  command({
    id: 'userGroups.applications',
    title: 'Applications of a user group…',
    group: 'go',
    words: ['members', 'okta'],
    when: reachesInConsole('apps'),
    args: [listedArgument('userGroup', 'group')],
    onThing: { label: 'Applications', title: name => `Applications of ${name}` },
    run: async (given, { clusterId }, tools) => {
      const { value, title } = answer(given, 'group');
      const { listUserGroups } = await import('../src/contract/resources.ts');
      const { items } = await tools.call(listUserGroups, {
        params: { clusterId },
        query: { query: `resource.metadata.name == ${JSON.stringify(value)}`, limit: 1 },
      });
      let query = '';
      for (const { name } of items[0]?.applications ?? []) {
        const next = `${query}${query === '' ? '' : ' || '}resource.metadata.name == ${JSON.stringify(name)}`;
        if (next.length > QUERY_MOST_CHARACTERS) break;
        query = next;
      }
      if (query === '') tools.notify(`${title} names no application that your roles select`);
      else tools.go('apps', {}, { query });
    },
  }),
];
