/** Packs one package into a folder. */
export function packPackage(name: 'cli' | 'posthog' | 'local' | 'cdk', output: string): Promise<{ file: string }>;
