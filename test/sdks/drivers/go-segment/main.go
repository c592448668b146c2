// Sends by the SDK of Segment or RudderStack what its input names.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
	"strings"
	"time"

	analytics "SDK"
)

func main() {
	var settings struct {
		URL, Key string
		Paced    bool
	}
	if err := json.Unmarshal([]byte(os.Args[1]), &settings); err != nil {
		log.Fatal(err)
	}
	config := analytics.Config{Endpoint: settings.URL + "/collect/segment"}
	if settings.Paced {
		config.BatchSize = 5
		config.Interval = 100 * time.Millisecond
	}
	client, err := analytics.NewWithConfig(settings.Key, config)
	if err != nil {
		log.Fatal(err)
	}
	at := 0
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		for _, mark := range strings.Fields(lines.Text()) {
			messages := []analytics.Message{
				analytics.Track{UserId: "u-1", Event: "Order Placed", Properties: analytics.NewProperties().Set("mark", mark)},
				analytics.Identify{UserId: "u-1", Traits: analytics.NewTraits().Set("mark", mark)},
				analytics.Page{UserId: "u-1", Name: "Home", Properties: analytics.NewProperties().Set("mark", mark)},
				analytics.Screen{UserId: "u-1", Name: "Cart", Properties: analytics.NewProperties().Set("mark", mark)},
				analytics.Group{UserId: "u-1", GroupId: "acme", Traits: analytics.NewTraits().Set("mark", mark)},
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
