import com.rudderstack.sdk.java.analytics.RudderAnalytics;
import com.rudderstack.sdk.java.analytics.messages.*;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Sends by RudderStack's SDK what a server would: five calls at once, then a pause, until all are sent. */
class RudderStack {
    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        RudderAnalytics sdk = RudderAnalytics.builder(arguments[1]).setDataPlaneUrl(url + "/collect/segment/").flushQueueSize(5).flushInterval(1, TimeUnit.SECONDS).build();
        String[] marks = arguments[2].split(" ");
        for (int at = 0; at < marks.length; at++) {
            Map<String, String> mark = Map.of("mark", marks[at]);
            List<MessageBuilder> messages = List.of(
                TrackMessage.builder("Order Placed").properties(mark),
                IdentifyMessage.builder().traits(mark),
                PageMessage.builder("Home").properties(mark),
                ScreenMessage.builder("Cart").properties(mark),
                GroupMessage.builder("acme").traits(mark)
            );
            sdk.enqueue(messages.get(at % messages.size()).userId("u-1"));
            if (at % 5 == 4) Thread.sleep(300);
        }
        sdk.flush();
        // Nothing of the SDK waits for its retries.
        System.in.read();
        sdk.shutdown();
    }
}
