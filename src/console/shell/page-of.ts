// The page as screens see it while someone is signed in.
import type { UserContext } from '../../contract/session.ts';
import type { Matched } from '../../features/paths.ts';
import type { Page } from '../screens/page.tsx';
import type { Console } from './console.ts';
import { keepForStart } from './kept-answers.ts';
import { changeQuery, follow, leaving, queryOf } from './navigation.ts';

/** Null for a path that leads nowhere: no screen stands there. */
export function pageOf(built: Console, found: Matched | null, search: string, who: UserContext | null): Page | null {
  if (found === null) return null;
  const { boot, tools, commanding, terminals } = built;
  return {
    api: built.api,
    answers: built.answers,
    download: boot.download,
    config: boot.config,
    feature: found.id,
    params: found.params,
    query: queryOf(search),
    clusterId: found.params.clusterId ?? boot.config.proxyCluster,
    who,
    over: '',
    setQuery: changeQuery,
    go: tools.go,
    follow,
    guard: leaving.guard,
    select: built.select,
    notify: tools.notify,
    confirm: tools.confirm,
    copyText: tools.copyText,
    run: commanding.run,
    reloadUser: async () => tools.reloadUser?.(),
    terminal: terminals,
    onChange: built.onChange,
    onListChanged: built.onListChanged,
    preferences: built.preferences,
    sockets: built.sockets,
    arrive: terminals.arrive,
    enter: boot.enter,
    keepForStart: answers => keepForStart(localStorage, answers),
  };
}
