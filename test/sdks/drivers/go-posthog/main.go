// Sends by PostHog's SDK what its input names.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
	"reflect"
	"strings"
	"time"

	posthog "SDK"
)

func main() {
	var settings struct {
		URL, Key  string
		Paced, V1 bool
	}
	if err := json.Unmarshal([]byte(os.Args[1]), &settings); err != nil {
		log.Fatal(err)
	}
	config := posthog.Config{Endpoint: settings.URL + "/collect"}
	if settings.Paced {
		config.BatchSize = 5
		config.Interval = 100 * time.Millisecond
	}
	if settings.V1 {
		// Older releases do not have the field.
		reflect.ValueOf(&config).Elem().FieldByName("CaptureMode").SetUint(1)
	}
	client, err := posthog.NewWithConfig(settings.Key, config)
	if err != nil {
		log.Fatal(err)
	}
	at := 0
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		for _, mark := range strings.Fields(lines.Text()) {
			properties := posthog.NewProperties().Set("mark", mark)
			messages := []posthog.Message{
				posthog.Capture{DistinctId: "u-1", Event: "Order Placed", Properties: properties},
				posthog.Identify{DistinctId: "u-1", Properties: properties},
				posthog.GroupIdentify{Type: "company", Key: "acme", Properties: properties},
			}
			if err := client.Enqueue(messages[at%len(messages)]); err != nil {
				log.Fatal(err)
			}
			at++
		}
	}
	if err := client.Close(); err != nil {
		log.Fatal(err)
	}
}
