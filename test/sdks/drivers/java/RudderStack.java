import com.rudderstack.sdk.java.analytics.RudderAnalytics;
import com.rudderstack.sdk.java.analytics.messages.*;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Sends by RudderStack's SDK what its input names. */
class RudderStack {
    public static void main(String[] arguments) throws Exception {
        var builder = RudderAnalytics.builder(arguments[1]).setDataPlaneUrl(arguments[0] + "/collect/segment");
        if (arguments[2].equals("paced")) {
            builder.flushQueueSize(5).flushInterval(1, TimeUnit.SECONDS);
            // By default a batch that waits 15 s for its retry holds up all others.
            builder.networkExecutor(Executors.newFixedThreadPool(8));
        }
        RudderAnalytics sdk = builder.build();
        Marks.each((name, at) -> {
            Map<String, String> mark = Map.of("mark", name);
            List<MessageBuilder> messages = List.of(
                TrackMessage.builder("Order Placed").properties(mark),
                IdentifyMessage.builder().traits(mark),
                PageMessage.builder("Home").properties(mark),
                ScreenMessage.builder("Cart").properties(mark),
                GroupMessage.builder("acme").traits(mark)
            );
            sdk.enqueue(messages.get(at % messages.size()).userId("u-1"));
        });
        sdk.flush();
        sdk.shutdown();
    }
}
