#!/usr/bin/env node
// Starts the command line, on a Node that can.
import { fileURLToPath } from 'node:url';
import { onAbleNode } from '../node/able-node.mjs';

await onAbleNode(fileURLToPath(import.meta.url), () => import('./index.ts'));
