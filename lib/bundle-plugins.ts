import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

// Plugins that shorten the cold start of a function (ADR 17).

/** The namespaces of modules that no file holds. */
export const virtualModules = { builtin: 'builtin', credentials: 'credentials' } as const;

/**
 * Gets Node's own modules one by one. To import one reads all that it exports, and some of that loads much: `fetch` for
 * `http`, the streams of the process, the debugger for `util`.
 */
const requestedBuiltins: Plugin = {
  name: 'builtins-as-asked',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[a-z]/ }, ({ kind, path }) =>
      kind !== 'require-call' && isBuiltin(path) ? { path, namespace: virtualModules.builtin } : null,
    );
    onLoad({ filter: /./, namespace: virtualModules.builtin }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
    }));
  },
};

/** A function has its credentials in its environment: the chain of places where others have theirs is a seventh of a bundle. */
const credentialsOfEnvironment: Plugin = {
  name: 'credentials-of-environment',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, ({ path, resolveDir }) => ({
      path,
      namespace: virtualModules.credentials,
      pluginData: resolveDir,
    }));
    onLoad({ filter: /./, namespace: virtualModules.credentials }, ({ pluginData }) => ({
      contents: "export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';",
      resolveDir: pluginData,
    }));
  },
};

export const bundlePlugins = [requestedBuiltins, credentialsOfEnvironment];
