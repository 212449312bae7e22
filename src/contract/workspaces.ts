// Workspaces: the tabs and splits of terminals that a person saved, to be opened again by themselves or by whom they give the link to.
import * as z from 'zod/mini';
import { call } from './call.ts';
import { name, ok, time } from './shapes.ts';
import { visible } from './visible-text.ts';

/** Tabs of a workspace, and terminals in all of them, at most: each is a session that is opened at once. */
export const WORKSPACE_TABS_MOST = 20;
export const WORKSPACE_TERMINALS_MOST = 32;
/** Terminals that share one tab, at most. */
const SPLITS_MOST = 16;
/** What a person calls something of theirs. */
export const workspaceName = z.string().check(z.minLength(1), z.maxLength(64), visible);

/** A terminal. But for the first of its tab it stands beside or below an earlier one, whose room it halves. */
const pane = z.object({
  /** A server's, or what stands in its place: of a database's prompt, a container, a desktop, whose parts have slashes between them. */
  serverId: z.string().check(z.minLength(1), z.maxLength(1024), visible),
  hostname: name,
  login: z.string().check(z.minLength(1), z.maxLength(255), visible),
  /** Index of the earlier one. */
  beside: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(SPLITS_MOST - 1))),
  direction: z.optional(z.enum(['right', 'down'])),
  /** Part of both that the earlier one keeps. */
  share: z.optional(z.number().check(z.minimum(0.1), z.maximum(0.9))),
});
const tab = z.object({
  /** '' = called as its terminal. */
  name: z.string().check(z.maxLength(64), visible),
  panes: z.array(pane).check(z.minLength(1), z.maxLength(SPLITS_MOST)),
});
export type WorkspaceTab = z.infer<typeof tab>;
const content = z.object({
  name: workspaceName,
  tabs: z.array(tab).check(z.minLength(1), z.maxLength(WORKSPACE_TABS_MOST)),
});
export type WorkspaceContent = z.infer<typeof content>;

export const workspace = z.extend(content, { id: z.string(), updated: time });
export type Workspace = z.infer<typeof workspace>;
/** As one person may open it. */
export const openWorkspace = z.extend(workspace, {
  /** Terminals that their roles do not give them, such as `root@db-3`; they are not among the tabs. */
  closed: z.array(z.string()),
});
export type OpenWorkspace = z.infer<typeof openWorkspace>;

const params = z.object({ id: name });

export const listWorkspaces = call('GET', 'workspaces', {
  summary: "One's own workspaces, by name.",
  access: 'signedIn',
  reply: z.array(workspace),
});
export const getWorkspace = call('GET', 'workspaces/:id', {
  summary:
    "A workspace, one's own or somebody else's of whose servers one may reach some: with the terminals that one may open, and which one may not.",
  access: 'signedIn',
  params,
  reply: openWorkspace,
});
export const saveWorkspace = call('PUT', 'workspaces', {
  summary: "Keep a workspace. One's own of the same name is replaced.",
  access: 'signedIn',
  body: content,
  reply: workspace,
  bodyLimitBytes: 65_536,
});
export const renameWorkspace = call('PUT', 'workspaces/:id', {
  summary: "Rename one's own workspace.",
  access: 'signedIn',
  params,
  body: z.object({ name: workspaceName }),
  reply: workspace,
});
export const deleteWorkspace = call('DELETE', 'workspaces/:id', {
  summary: "Delete one's own workspace.",
  access: 'signedIn',
  params,
  reply: ok,
});
