// Sends by PostHog's SDK what a server would: five calls at once, then a pause, until all are sent.
package main

import (
	"encoding/json"
	"io"
	"log"
	"os"
	"time"

	"github.com/posthog/posthog-go"
)

func main() {
	var settings struct {
		URL, Key string
		Marks    []string
	}
	if err := json.Unmarshal([]byte(os.Args[1]), &settings); err != nil {
		log.Fatal(err)
	}
	config := posthog.Config{Endpoint: settings.URL + "/collect", BatchSize: 5, Interval: 100 * time.Millisecond}
	client, err := posthog.NewWithConfig(settings.Key, config)
	if err != nil {
		log.Fatal(err)
	}
	for at, mark := range settings.Marks {
		properties := posthog.NewProperties().Set("mark", mark)
		messages := []posthog.Message{
			posthog.Capture{DistinctId: "u-1", Event: "Order Placed", Properties: properties},
			posthog.Identify{DistinctId: "u-1", Properties: properties},
			posthog.GroupIdentify{Type: "company", Key: "acme", Properties: properties},
		}
		if err := client.Enqueue(messages[at%len(messages)]); err != nil {
			log.Fatal(err)
		}
		if at%5 == 4 {
			time.Sleep(300 * time.Millisecond)
		}
	}
	// Close drops what has failed once: an application that goes on keeps trying.
	_, _ = io.ReadAll(os.Stdin)
	if err := client.Close(); err != nil {
		log.Fatal(err)
	}
}
