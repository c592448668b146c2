import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.function.ObjIntConsumer;

/** What a driver has to send: each line of the standard input has the marks of calls to make at once. */
class Marks {
    static void each(ObjIntConsumer<String> call) throws IOException {
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        int at = 0;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            for (String mark : line.split(" ")) call.accept(mark, at++);
        }
    }
}
