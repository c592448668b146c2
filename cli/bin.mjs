#!/usr/bin/env node
// Plain JavaScript that an old Node can run too: there the bundle would end with a line of minified code.
import { createRequire } from 'node:module';

const { engines } = createRequire(import.meta.url)('./package.json');
const [major, minor] = engines.node.slice('>='.length).split('.').map(Number);
const [hasMajor, hasMinor] = process.versions.node.split('.').map(Number);
if (hasMajor < major || (hasMajor === major && hasMinor < minor)) {
  console.error(`tributary needs Node ${major}.${minor} or later; this is Node ${process.versions.node}.`);
  process.exit(2);
}
import('./dist/tributary.js');
