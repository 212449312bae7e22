// What is done to one's own sessions once it is asked: fetched then.
import { endOtherSessions, endOwnSession, listOwnSessions } from '../src/contract/own-sessions.ts';
import { programText } from '../src/features/program.ts';
import { dateTime } from '../src/features/times.ts';
import { answer, confirmed } from './answer.ts';
import type { Argument, Command } from './command.ts';

/** Where one is signed in besides here. */
export const elsewhere: Argument['choices'] = async (_typed, _given, _facts, tools) => {
  const others = (await tools.call(listOwnSessions)).filter(({ current }) => !current);
  return others.map(session => ({
    value: session.id,
    title: programText(session),
    detail: `since ${dateTime(session.created)}`,
  }));
};

export const endOne: Command['run'] = async (given, _facts, tools) => {
  const { value: id, title } = answer(given, 'session');
  await confirmed(tools, {
    title: 'End this session?',
    text: `${title}: whoever uses it is signed out at once.`,
    action: 'End it',
  });
  await tools.call(endOwnSession, { params: { id } });
  tools.notify('The session has been ended');
};

export const endOthers: Command['run'] = async (_given, _facts, tools) => {
  await confirmed(tools, {
    title: 'Sign out everywhere else?',
    text: 'You stay signed in here. All your other browsers and command lines are signed out at once.',
    action: 'Sign out',
  });
  await tools.call(endOtherSessions);
  tools.notify('Your other sessions have been ended');
};
