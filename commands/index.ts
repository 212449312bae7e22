// The only door to the verbs of the product: palette, keys, menus, buttons, help sheet and command line all read this list.
import { accessLists } from './access-lists.ts';
import { account } from './account.ts';
import { agents } from './agents.ts';
import { appearance } from './appearance.ts';
import { applications } from './applications.ts';
import { assist } from './assist.ts';
import { audit } from './audit.ts';
import { bots } from './bots.ts';
import { clusters } from './clusters.ts';
import { type Command, type Registry, registryOf } from './command.ts';
import { connectors } from './connectors.ts';
import { consoleCommands } from './console.ts';
import { databases } from './databases.ts';
import { desktop } from './desktop.ts';
import { desktops } from './desktops.ts';
import { devices } from './devices.ts';
import { files } from './files.ts';
import { frame } from './frame.ts';
import { goTo } from './goto.ts';
import { integrations } from './integrations.ts';
import { joined } from './joined.ts';
import { list } from './list.ts';
import { locks } from './locks.ts';
import { loginRules } from './login-rules.ts';
import { marked } from './marked.ts';
import { player } from './player.ts';
import { pods } from './pods.ts';
import { range } from './range.ts';
import { recordings } from './recordings.ts';
import { related } from './related.ts';
import { requests } from './requests.ts';
import { resources } from './resources.ts';
import { reviews } from './reviews.ts';
import { rights } from './rights.ts';
import { roles } from './roles.ts';
import { servers } from './servers.ts';
import { sessions } from './sessions.ts';
import { snippets } from './snippets.ts';
import { splits } from './splits.ts';
import { support } from './support.ts';
import { terminal } from './terminal.ts';
import { tokens } from './tokens.ts';
import { trust } from './trust.ts';
import { userGroups } from './user-groups.ts';
import { users } from './users.ts';
import { views } from './views.ts';
import { workspaces } from './workspaces.ts';

/** Every verb a person can say. */
export const registry: Registry = registryOf([
  ...sessions,
  ...recordings,
  ...goTo,
  ...terminal,
  ...snippets,
  ...splits,
  ...workspaces,
  ...joined,
  ...list,
  ...audit,
  ...assist,
  ...range,
  ...player,
  ...desktop,
  ...views,
  ...servers,
  ...support,
  ...agents,
  ...tokens,
  ...bots,
  ...files,
  ...marked,
  ...users,
  ...roles,
  ...rights,
  ...locks,
  ...devices,
  ...requests,
  ...accessLists,
  ...reviews,
  ...connectors,
  ...loginRules,
  ...trust,
  ...integrations,
  ...databases,
  ...applications,
  ...desktops,
  ...clusters,
  ...resources,
  ...pods,
  ...userGroups,
  ...related,
  ...account,
  ...appearance,
  ...frame,
  ...consoleCommands,
]);

export const commands: readonly Command[] = registry.rows;

/** A command by its id; undefined when there is none. */
export const commandById = (id: string): Command | undefined => registry.byId(id);
