/** How a driver reaches an SDK, and what it is expected to do. */
export type Sdk = {
  readonly name: string;
  readonly language: 'node' | 'browser' | 'python' | 'go' | 'java' | 'ruby';
  /** Newest first. */
  readonly versions: readonly string[];
  /** PostHog's Capture V1 is on. */
  readonly v1?: true;
  /** What the registry's client installs, if it is not the name. */
  readonly package?: string;
  /** The module of Python, the folder of a driver in Go, the class of a driver in Java. */
  readonly driver?: string;
  /** The answers after which the SDK sends events no more; `none` is a lost answer, or no connection. */
  readonly givesUp: readonly string[];
};

const v1 = { v1: true } as const;

/** The SDKs that the service is tried with: the newest release, and the oldest that is supported. */
export const sdks: readonly Sdk[] = [
  { name: '@segment/analytics-node', language: 'node', versions: ['3.1.0', '1.0.0'], givesUp: ['413'] },
  { name: '@rudderstack/rudder-sdk-node', language: 'node', versions: ['3.0.13', '2.0.2'], givesUp: ['413'] },
  { name: '@jitsu/js', language: 'node', versions: ['1.11.0', '1.9.2'], givesUp: ['413', '429', '503', 'none'] },
  { name: 'posthog-node', language: 'node', versions: ['5.70.0', '4.0.0'], givesUp: ['413'] },
  { name: 'posthog-node', language: 'node', versions: ['5.70.0'], ...v1, givesUp: ['413'] },
  {
    name: '@segment/analytics-next',
    language: 'browser',
    versions: ['1.84.3', '1.53.0'],
    givesUp: ['413', '429', '503'],
  },
  { name: 'posthog-js', language: 'browser', versions: ['1.449.2', '1.187.0'], givesUp: ['413', '429'] },
  {
    name: 'segment-analytics-python',
    language: 'python',
    versions: ['2.4.0', '2.2.1'],
    driver: 'segment.analytics',
    givesUp: ['413'],
  },
  {
    name: 'analytics-python',
    language: 'python',
    versions: ['1.4.post1', '1.2.9'],
    driver: 'analytics',
    givesUp: ['413'],
  },
  {
    name: 'rudder-sdk-python',
    language: 'python',
    versions: ['2.1.9', '2.0.0'],
    driver: 'rudderstack.analytics',
    givesUp: ['413'],
  },
  {
    name: 'posthog-python',
    language: 'python',
    package: 'posthog',
    versions: ['7.91.1', '3.0.0'],
    driver: 'posthog',
    givesUp: ['413'],
  },
  {
    name: 'posthog-python',
    language: 'python',
    package: 'posthog',
    versions: ['7.91.1'],
    driver: 'posthog',
    ...v1,
    givesUp: ['413'],
  },
  {
    name: 'analytics-go',
    language: 'go',
    package: 'gopkg.in/segmentio/analytics-go.v3',
    versions: ['v3.1.0'],
    driver: 'go-segment',
    givesUp: ['413'],
  },
  {
    name: 'rudder-sdk-go',
    language: 'go',
    package: 'github.com/rudderlabs/analytics-go/v4',
    versions: ['v4.2.3', 'v4.1.0'],
    driver: 'go-segment',
    givesUp: ['413'],
  },
  {
    name: 'posthog-go',
    language: 'go',
    package: 'github.com/posthog/posthog-go',
    versions: ['v1.23.1', 'v1.3.3'],
    driver: 'go-posthog',
    givesUp: ['413'],
  },
  {
    name: 'posthog-go',
    language: 'go',
    package: 'github.com/posthog/posthog-go',
    versions: ['v1.23.1'],
    driver: 'go-posthog',
    ...v1,
    givesUp: ['413', '429'],
  },
  {
    name: 'analytics-java',
    language: 'java',
    package: 'com.segment.analytics.java:analytics',
    versions: ['3.5.4', '3.1.3'],
    driver: 'Segment',
    givesUp: ['413'],
  },
  {
    name: 'rudder-sdk-java',
    language: 'java',
    package: 'com.rudderstack.sdk.java.analytics:analytics',
    versions: ['3.1.2', '3.0.0'],
    driver: 'RudderStack',
    givesUp: ['413'],
  },
  {
    name: 'posthog-java',
    language: 'java',
    package: 'com.posthog.java:posthog',
    versions: ['1.2.0', '1.1.0'],
    driver: 'Posthog',
    givesUp: ['413'],
  },
  {
    name: 'posthog-server',
    language: 'java',
    package: 'com.posthog:posthog-server',
    versions: ['2.3.3', '2.3.0'],
    driver: 'PosthogServer',
    givesUp: ['413'],
  },
  { name: 'posthog-ruby', language: 'ruby', versions: ['3.23.2', '2.0.0'], givesUp: ['413'] },
];

export const titleOf = ({ name, v1 }: Sdk, version?: string): string =>
  [name, ...(version ? [version] : []), ...(v1 ? ['(V1)'] : [])].join(' ');

/** After this time without a request an SDK sends no more: those of Java wait 15 s before a retry. */
export const quietMs = ({ language }: Sdk): number => (language === 'java' ? 45_000 : 15_000);
