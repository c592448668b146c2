/** Powertools reads these as it is imported. */
export const logEnvironment = {
  POWERTOOLS_LOG_LEVEL: 'DEBUG',
  POWERTOOLS_METRICS_NAMESPACE: 'Tributary',
  POWERTOOLS_SERVICE_NAME: 'tributary',
} as const;
