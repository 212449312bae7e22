// The page as screens see it while nobody is signed in: it can go places and call the public calls, nothing else.
import type { Matched } from '../../features/paths.ts';
import { to } from '../../features/paths.ts';
import type { Page } from '../screens/page.tsx';
import type { Boot } from './boot.ts';
import { keepForStart } from './kept-answers.ts';
import { changeQuery, follow, leaving } from './navigation.ts';

export function publicPage(boot: Boot, found: Matched, query: Readonly<Record<string, string>>): Page {
  return {
    api: boot.api,
    download: boot.download,
    answers: null,
    config: boot.config,
    feature: found.id,
    params: found.params,
    query,
    clusterId: boot.config.proxyCluster,
    who: null,
    over: boot.over,
    setQuery: changeQuery,
    go: (feature, params, asked) => follow(to(feature, params, asked)),
    follow,
    guard: leaving.guard,
    select: () => {},
    // Signed-out pages say what they have to say on themselves.
    notify: () => {},
    confirm: () => Promise.resolve(false),
    copyText: text => navigator.clipboard.writeText(text),
    run: () => {},
    reloadUser: async () => {},
    terminal: null,
    onChange: () => () => {},
    onListChanged: () => () => {},
    preferences: null,
    sockets: null,
    arrive: () => {},
    enter: boot.enter,
    keepForStart: answers => keepForStart(localStorage, answers),
  };
}
