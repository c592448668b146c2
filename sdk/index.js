export { browserFilter, posthogJsOptions } from './browser.js';
export { posthogNodeOptions, serverFilter } from './server.js';
