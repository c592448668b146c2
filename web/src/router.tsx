import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { StartPage } from './find/start-page.tsx';
import { parseQuery, type Search, writeQuery } from './search-parameters.ts';
import { settings } from './settings.ts';
import { NoPage } from './shell/no-page.tsx';
import { Shell } from './shell/shell.tsx';

const root = createRootRoute({ component: Shell, notFoundComponent: NoPage });

/** A page whose code loads when somebody opens it. */
const page = <Path extends string, Name extends string>(path: Path, load: Load<NoInfer<Name>>, name: Name) =>
  createRoute({
    getParentRoute: () => root,
    path,
    component: lazyRouteComponent(load, name),
    validateSearch: (search): Search => search as Search,
  });

type Load<Name extends string> = () => Promise<Readonly<Record<Name, () => ReactNode>>>;

const start = createRoute({ getParentRoute: () => root, path: '/', component: StartPage });

const routeTree = root.addChildren([
  start,
  page('/sign-in', () => import('./sign-in/sign-in-page.tsx'), 'SignInPage'),
  page('/signed-in', () => import('./sign-in/sign-in-page.tsx'), 'SignedInPage'),
  page('/authorize', () => import('./sign-in/authorize-page.tsx'), 'AuthorizePage'),
  page('/lineage', () => import('./lineage/lineage-page.tsx'), 'LineagePage'),
  page('/changes', () => import('./changes/changes-page.tsx'), 'ChangesPage'),
  page('/providers', () => import('./run/providers-page.tsx'), 'ProvidersPage'),
  page('/deliveries', () => import('./run/deliveries-page.tsx'), 'DeliveriesPage'),
  page('/deliveries/$deliveryId', () => import('./run/delivery-page.tsx'), 'DeliveryPage'),
  page('/gaps', () => import('./run/gaps-page.tsx'), 'GapsPage'),
  page('/policy', () => import('./run/policy-page.tsx'), 'PolicyPage'),
  page('/tokens', () => import('./run/tokens-page.tsx'), 'TokensPage'),
  page('/collection', () => import('./run/collection-page.tsx'), 'CollectionPage'),
  page('/access', () => import('./run/access-page.tsx'), 'AccessPage'),
  page('/checks', () => import('./run/checks-page.tsx'), 'ChecksPage'),
]);

export const router = createRouter({
  routeTree,
  basepath: settings.base,
  parseSearch: parseQuery,
  stringifySearch: writeQuery,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
