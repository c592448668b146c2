# Sends by PostHog's SDK what its input names.
require 'json'
require 'posthog'

settings = JSON.parse(ARGV[0])
# The SDK ignores the path of its host.
PostHog::Transport::PATH = '/collect/batch/'
paced = settings['paced'] ? { batch_size: 5, flush_interval_seconds: 0.1 } : {}
sdk = PostHog::Client.new({ api_key: settings['key'], host: settings['url'], **paced })
calls = [
  ->(mark) { sdk.capture(distinct_id: 'u-1', event: 'Order Placed', properties: { mark: mark }) },
  ->(mark) { sdk.identify(distinct_id: 'u-1', properties: { mark: mark }) },
  ->(mark) { sdk.group_identify(group_type: 'company', group_key: 'acme', properties: { mark: mark }) }
]
at = -1
$stdin.each_line { |line| line.split.each { |mark| calls[(at += 1) % calls.length].call(mark) } }
sdk.shutdown
