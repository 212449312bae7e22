// The list on screen: the same keys on every page that has one.
import { type Command, command } from './command.ts';
import { onList } from './gates.ts';

export const list: readonly Command[] = [
  command({
    id: 'list.filter',
    title: 'Filter the list',
    group: 'list',
    keys: '/',
    words: ['search', 'find'],
    when: onList,
    run: (_given, _facts, tools) => tools.list.filter(),
  }),
  command({
    id: 'list.next',
    title: 'Next row',
    group: 'list',
    keys: 'j, down',
    when: onList,
    run: (_given, _facts, tools) => tools.list.move(1),
  }),
  command({
    id: 'list.previous',
    title: 'Previous row',
    group: 'list',
    keys: 'k, up',
    when: onList,
    run: (_given, _facts, tools) => tools.list.move(-1),
  }),
  command({
    id: 'list.first',
    title: 'First row',
    group: 'list',
    keys: 'home, g g',
    when: onList,
    run: (_given, _facts, tools) => tools.list.move('first'),
  }),
  command({
    id: 'list.last',
    title: 'Last row',
    group: 'list',
    keys: 'end, shift+g',
    when: onList,
    run: (_given, _facts, tools) => tools.list.move('last'),
  }),
  command({
    id: 'list.open',
    title: 'Open the row',
    group: 'list',
    keys: 'enter',
    words: ['first action'],
    when: onList,
    run: (_given, _facts, tools) => tools.list.open(),
  }),
  command({
    id: 'list.mark',
    title: 'Mark the row',
    group: 'list',
    keys: 'x',
    words: ['select'],
    when: onList,
    run: (_given, _facts, tools) => tools.list.mark(),
  }),
  command({
    id: 'list.menu',
    title: 'Actions of the row',
    group: 'list',
    keys: '.',
    words: ['menu'],
    when: onList,
    run: (_given, _facts, tools) => tools.list.menu(),
  }),
];
