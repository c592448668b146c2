// Sends by Segment's SDK what a server would: five calls at once, then a pause, until all are sent.
package main

import (
	"encoding/json"
	"io"
	"log"
	"os"
	"time"

	"gopkg.in/segmentio/analytics-go.v3"
)

func main() {
	var settings struct {
		URL, Key string
		Marks    []string
	}
	if err := json.Unmarshal([]byte(os.Args[1]), &settings); err != nil {
		log.Fatal(err)
	}
	config := analytics.Config{Endpoint: settings.URL + "/collect/segment", BatchSize: 5, Interval: 100 * time.Millisecond}
	client, err := analytics.NewWithConfig(settings.Key, config)
	if err != nil {
		log.Fatal(err)
	}
	for at, mark := range settings.Marks {
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
