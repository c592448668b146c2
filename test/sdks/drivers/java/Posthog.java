import com.posthog.java.PostHog;
import java.util.Map;

/** Sends by PostHog's first SDK for Java what a server would: five calls at once, then a pause, until all are sent. */
class Posthog {
    public static void main(String[] arguments) throws Exception {
        PostHog sdk = new PostHog.Builder(arguments[1]).host(arguments[0] + "/collect").build();
        String[] marks = arguments[2].split(" ");
        for (int at = 0; at < marks.length; at++) {
            Map<String, Object> mark = Map.of("mark", marks[at]);
            if (at % 3 == 0) sdk.capture("u-1", "Order Placed", mark);
            else if (at % 3 == 1) sdk.identify("u-1", mark);
            else sdk.set("u-1", mark);
            if (at % 5 == 4) Thread.sleep(300);
        }
        sdk.shutdown();
    }
}
