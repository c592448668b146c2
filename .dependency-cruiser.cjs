const swc = require('@swc/core');

// dependency-cruiser parses every file as plain TypeScript, so it cannot read the explorer's TSX.
const parseFile = swc.parseFileSync;
swc.parseFileSync = (file, options) => parseFile(file, { ...options, tsx: file.endsWith('.tsx') });

/** The arrows of imports: contract <- domain <- adapters <- runtime <- functions; see docs/ARCHITECTURE.md. */
const only = (name, from, allowed, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from },
  to: { path: '^(bin|lib|functions|shared|local|cli|web|sdk|scripts|bench|test)/', pathNot: allowed },
});

module.exports = {
  forbidden: [
    only('contract-imports-contract', '^shared/contract/', '^shared/contract/', 'The contract knows nobody.'),
    only('domain-imports-contract', '^shared/domain/', '^shared/(contract|domain)/', 'The domain is pure.'),
    only(
      'adapters-import-domain',
      '^shared/adapters/',
      '^shared/(contract|domain|adapters)/',
      'Adapters implement the ports of the domain.',
    ),
    only('runtime-imports-inwards', '^shared/runtime/', '^shared/', 'The runtime knows no function.'),
    only(
      'functions-import-inwards',
      '^functions/([^/]+)/',
      '^(shared/|functions/$1/)',
      'A function is wiring: it knows no other function.',
    ),
    only(
      'client-imports-contract',
      '^shared/client/',
      '^shared/(contract|client)/',
      'A client of the service knows HTTP alone.',
    ),
    only(
      'mcp-imports-client',
      '^shared/mcp/',
      '^shared/(contract|client|mcp)/',
      'Agents are served by the routes that others ask.',
    ),
    only('lib-imports-contract', '^lib/', '^(lib|shared/contract)/', 'Infrastructure knows routes and names only.'),
    only('bin-imports-lib', '^bin/', '^lib/', 'The entry of the stack is nothing else.'),
    only(
      'cli-imports-shared',
      '^cli/',
      '^(cli/|shared/|local/scratch-stores|functions/(queries/impact|diff/diff)\\.ts)',
      'The command line needs no infrastructure, but stores to try things in, and answers from files as functions do.',
    ),
    only(
      'web-imports-contract',
      '^web/src/',
      '^(web/src/|shared/contract/|shared/domain/lineage/report/)',
      'The explorer knows HTTP and the contract only, and how reports are written.',
    ),
    only('local-imports-no-function', '^local/', '^(local|lib|shared)/', 'Handlers run from their bundles.'),
    {
      name: 'pure-domain',
      comment: 'Time, files, processes and the network are the business of adapters.',
      severity: 'error',
      from: { path: '^shared/(contract|domain)/' },
      to: {
        path: [
          '^(node:)?(fs|fs/promises|net|http|https|child_process|worker_threads|timers/promises)$',
          'node_modules/(@aws-sdk|@aws-lambda-powertools|@middy|aws-cdk-lib)/',
        ],
      },
    },
    {
      name: 'no-folder-circle',
      comment: 'Folders that import each other are one folder.',
      severity: 'error',
      scope: 'folder',
      from: { path: '^(shared|functions|lib|local|cli)/' },
      to: { circular: true },
    },
    {
      name: 'no-circle',
      comment: 'Files that import each other are one file.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-sdk-in-infrastructure',
      comment: 'Synthesis needs no network and no credentials.',
      severity: 'error',
      from: { path: '^(bin|lib)/' },
      to: { path: 'node_modules/@aws-sdk/' },
    },
  ],
  options: {
    // TypeScript 7 has no JavaScript API: without swc no .ts file would be read, and nothing reported.
    parser: 'swc',
    // Types that are imported count too.
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^test/fixtures/', '/generated/'] },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'node', 'default', 'types'] },
  },
};
