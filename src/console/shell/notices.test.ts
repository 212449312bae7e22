import { expect, test } from 'vitest';
import { fakeStorage } from './fakes.testing.ts';
import { createNotices } from './notices.ts';
import { keys } from './storage.ts';

/** Notices on the page `at`; `pass` is when the ones on screen go away. */
function begin(storage = fakeStorage(), at = '/web/users') {
  const waiting: (() => void)[] = [];
  const notices = createNotices({ storage, here: () => at, later: run => void waiting.push(run) });
  const pass = (): void => {
    for (const run of waiting.splice(0)) run();
  };
  const kept = () => notices.state.notifications.map(({ item }) => `${item.resourceName}: ${item.text} ${item.route}`);
  return { ...notices, pass, kept };
}

test('a question that another one overtakes counts as refused', async () => {
  const { confirm, settle, state } = begin();
  const first = confirm({ title: 'a', text: '', action: 'x' });
  const second = confirm({ title: 'b', text: '', action: 'y' });
  expect(state.question?.title).toBe('b');
  settle(true);
  expect([await first, await second, state.question]).toEqual([false, true, null]);
});

test('notices go by themselves, are few, and do not repeat', () => {
  const { notify, state, pass } = begin();
  for (const text of ['a', 'b', 'a', 'c', 'd', 'e']) notify(text, 'Test');
  expect(state.notices.map(notice => notice.text)).toEqual(['a', 'c', 'd', 'e']);
  pass();
  expect(state.notices).toEqual([]);
});

test('what went by itself becomes a notification with its source and its page, newest first', () => {
  const { notify, pass, kept } = begin();
  notify('db-3 has been added', 'Add a server');
  notify('ended', 'Terminal');
  expect(kept()).toEqual([]);
  pass();
  expect(kept()).toEqual(['Terminal: ended /web/users', 'Add a server: db-3 has been added /web/users']);
});

test('what was closed by hand has been read', () => {
  const { notify, drop, state, pass, kept } = begin();
  notify('a', 'Test');
  drop(state.notices[0]?.id ?? '');
  pass();
  expect(kept()).toEqual([]);
});

test('reading one takes that one away, reading all takes all, and of many the newest stay', () => {
  const { notify, pass, read, state, kept } = begin();
  for (let index = 0; index < 6; index += 1) {
    for (const letter of 'abcd') notify(`${letter}${index}`, 'Test');
    pass();
  }
  expect(kept()).toHaveLength(20);
  expect(kept()[0]).toContain('d5');
  read(state.notifications[0]?.id ?? '');
  expect([kept().length, kept()[0]]).toEqual([19, 'Test: c5 /web/users']);
  read();
  expect(kept()).toEqual([]);
});

test('marking all as read counts what is on the screen: it does not come back as unread when it goes', () => {
  const { notify, pass, read, state, kept } = begin();
  notify('seen under the bell', 'Test');
  pass();
  notify('still on screen', 'Test');
  read();
  expect(state.notices).toEqual([]);
  pass();
  expect(kept()).toEqual([]);
});

test('notifications outlive a reload for the same person, and nobody else sees them', () => {
  const storage = fakeStorage();
  const first = begin(storage);
  first.belongTo('ann');
  first.notify('a', 'Test');
  first.pass();
  const again = begin(storage);
  again.notify('b', 'Test');
  again.pass();
  again.belongTo('ann');
  expect(again.kept()).toEqual(['Test: b /web/users', 'Test: a /web/users']);
  const other = begin(storage);
  other.belongTo('bob');
  expect(other.kept()).toEqual([]);
  const back = begin(storage);
  back.belongTo('ann');
  expect(back.kept()).toEqual([]);
});

test('what someone mangled in the storage is no notification', () => {
  for (const text of [
    '',
    'null',
    '[]',
    '{"owner":"ann"}',
    '{"owner":"ann","items":[null,1,{"id":"x"},{"id":"x","date":1,"item":{}}]}',
  ]) {
    const { belongTo, kept } = begin(fakeStorage({ [keys.notifications]: text }));
    belongTo('ann');
    expect(kept()).toEqual([]);
  }
});
